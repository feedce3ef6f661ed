/** One line, area or row of bars of a chart. */
export interface Series {
  label: string
  /** One value per time; null leaves a gap. */
  values: readonly (number | null | undefined)[]
  kind?: 'line' | 'area' | 'bars'
  /** A state colour where the series stands for a state; otherwise the next of the palette. */
  colour?: 'ok' | 'warn' | 'bad' | 'unknown' | 'accent'
  dashed?: boolean
}

/** The colour variable of a series. */
export function colourOf(series: Series, index: number): string {
  return series.colour ?? `series-${(index % 5) + 1}`
}
