/** Numbers of the advisory locks, in one place so that no two are the same. All live in class `quarterdeck`. */
export const lockClass = 0x51_44
export const locks = {
  migrate: 1,
  partitions: 2,
} as const
