import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { themeColour, useThemeVersion } from '../use-theme-version.ts'
import { colourOf, type Series } from './series.ts'
import { formatUnit, type Unit } from './units.ts'

export interface PlotProps {
  /** Milliseconds, ascending. */
  times: readonly number[]
  series: readonly Series[]
  unit: Unit
  height: number
  hidden: ReadonlySet<string>
  /** The nearest time under the pointer, and where it is drawn. */
  onHover: (at: { index: number; left: number; width: number } | undefined) => void
  onSelectRange?: (from: Date, to: Date) => void
}

// Ticks with the date below the first of a day, in 24 hours.
const times: uPlot.Axis.Values = [
  [86_400 * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [86_400 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{MMM} {DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{MMM} {DD} {YYYY}', null, '\n{MMM} {DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{MMM} {DD} {YYYY}', null, '\n{MMM} {DD}', null, null, null, 1],
]

/** The drawing itself, in a chunk of its own; use TimeChart. */
export function Plot({ times: stamps, series, unit, height, hidden, onHover, onSelectRange }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useThemeVersion()
  const latest = useRef({ onHover, onSelectRange })
  useEffect(() => {
    latest.current = { onHover, onSelectRange }
  })
  useEffect(() => {
    const box = host.current!
    const seconds = stamps.map((stamp) => stamp / 1000)
    const layers = stack(series, hidden)
    const data = [seconds, ...layers.map((layer) => layer.drawn)] as uPlot.AlignedData
    const plot = new uPlot(
      { ...optionsOf(layers, unit, hidden, latest), width: box.clientWidth || 300, height },
      data,
      box,
    )
    const watcher = new ResizeObserver(() => box.clientWidth > 0 && plot.setSize({ width: box.clientWidth, height }))
    watcher.observe(box)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [stamps, series, unit, height, hidden, theme])
  return <div ref={host} style={{ height }} className="w-full min-w-0 overflow-hidden" />
}

interface Layer {
  series: Series
  /** Its place in the palette. */
  index: number
  drawn: (number | null)[]
}

/** Bars stand on each other: each is drawn to the sum of those below it, the tallest first; lines come last, on top. */
function stack(series: readonly Series[], hidden: ReadonlySet<string>): Layer[] {
  const sums: number[] = []
  const layers = series.map((each, index): Layer => {
    if (each.kind !== 'bars') return { series: each, index, drawn: each.values.map((value) => value ?? null) }
    if (hidden.has(each.label)) return { series: each, index, drawn: each.values.map(() => null) }
    return { series: each, index, drawn: each.values.map((value, i) => (sums[i] = (sums[i] ?? 0) + (value ?? 0))) }
  })
  const isBars = (layer: Layer) => layer.series.kind === 'bars'
  return [...layers.filter(isBars).toReversed(), ...layers.filter((layer) => !isBars(layer))]
}

function padded(stamps: ArrayLike<number>, min: number, max: number): uPlot.Range.MinMax {
  const step = stamps.length > 1 ? (max - min) / (stamps.length - 1) : 3600
  return [min - step / 2, max + step / 2]
}

// Sizes go up in steps of 1024, so the lines of the grid do too.
const byteSteps = Array.from({ length: 50 }, (_, i) => 2 ** i)

type Latest = { current: Pick<PlotProps, 'onHover' | 'onSelectRange'> }

function optionsOf(
  layers: readonly Layer[],
  unit: Unit,
  hidden: ReadonlySet<string>,
  latest: Latest,
): Omit<uPlot.Options, 'width' | 'height'> {
  const font = '11px system-ui, sans-serif'
  const axis = {
    stroke: themeColour('subtle'),
    font,
    ticks: { show: false },
    grid: { stroke: themeColour('line'), width: 1 },
  }
  const floor = layers.every((layer) => layer.drawn.every((value) => (value ?? 0) >= 0))
  const hasBars = layers.some((layer) => layer.series.kind === 'bars')
  return {
    legend: { show: false },
    padding: [8, 24, 0, 0],
    scales: {
      // Half a bar of room, or the first and last would be cut.
      ...(hasBars && {
        x: { range: (plot: uPlot, min: number, max: number): uPlot.Range.MinMax => padded(plot.data[0], min, max) },
      }),
      y: { range: (_, min, max) => (floor ? [0, max > 0 ? max * 1.08 : 1] : uPlot.rangeNum(min, max, 0.1, true)) },
    },
    axes: [
      { ...axis, values: times, grid: { show: false }, space: 64 },
      {
        ...axis,
        ...(unit === 'bytes' && { incrs: byteSteps }),
        values: (_, ticks) => ticks.map((tick) => formatUnit(tick, unit)),
        size: (_, labels) => 14 + Math.max(16, ...(labels ?? []).map((label) => label.length * 6.4)),
      },
    ],
    cursor: { y: false, drag: { x: !!latest.current.onSelectRange, y: false, setScale: false }, points: { size: 7 } },
    series: [
      {},
      ...layers.map(({ series, index }) =>
        seriesOptions(series, themeColour(colourOf(series, index)), !hidden.has(series.label)),
      ),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const { idx, left = -1 } = plot.cursor
          const isOver = idx !== null && idx !== undefined && left >= 0
          latest.current.onHover(
            isOver ? { index: idx, left: left + plot.over.offsetLeft, width: plot.width } : undefined,
          )
        },
      ],
      setSelect: [
        (plot) => {
          if (plot.select.width < 4) return
          const at = (x: number) => new Date(plot.posToVal(x, 'x') * 1000)
          latest.current.onSelectRange?.(at(plot.select.left), at(plot.select.left + plot.select.width))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

function seriesOptions({ label, kind = 'line', dashed }: Series, colour: string, show: boolean): uPlot.Series {
  const shared: uPlot.Series = { label, show, stroke: colour, width: 1.5, points: { show: false } }
  if (kind === 'bars')
    return { ...shared, width: 0, fill: colour, paths: uPlot.paths.bars!({ size: [0.7, 40], radius: 0.1 }) }
  return { ...shared, ...(kind === 'area' && { fill: `${colour}26` }), ...(dashed && { dash: [5, 4] }) }
}
