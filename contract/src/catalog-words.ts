/** Words of the catalog that its filters offer; without a schema library, so that a list loads without one. */
export const healthValues = ['healthy', 'unhealthy', 'warning', 'unknown'] as const

/** Worst first. */
export const changeSeverities = ['critical', 'high', 'medium', 'low', 'info'] as const
