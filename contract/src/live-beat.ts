/** How often a stream of changes that has nothing to tell says that it still stands (event `beat`). */
export const liveBeatMs = 15_000
