/** Numbers of the advisory locks, in one place so that no two are the same. All live in class `quarterdeck`. */
export const lockClass = 0x51_44
export const locks = {
  migrate: 1,
  partitions: 2,
  /** Taken in SQL, in compact_config_values(). */
  configValues: 3,
  /** Held while administrators are counted and changed, so that two of them cannot remove each other. */
  administrators: 20,
  /** Held while documents become rows, so that two appliers do not meet halfway. */
  resources: 30,
} as const
