import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sparkPath } from './sparkline.tsx'
import { squeeze, StatusStrip } from './status-strip.tsx'
import { TimeChart } from './time-chart.tsx'
import { formatUnit } from './units.ts'

test('a chart without values says so', () => {
  render(<TimeChart label="Latency" times={[]} series={[{ label: 'p95', values: [] }]} />)
  expect(screen.getByText('No data available')).toBeDefined()
})

test('the same values as a table, newest first, with units', () => {
  const times = [new Date(2024, 7, 1, 10).getTime(), new Date(2024, 7, 1, 11).getTime()]
  render(
    <TimeChart
      label="Latency"
      unit="ms"
      times={times}
      series={[
        { label: 'p95', values: [120, 1500] },
        { label: 'p99', values: [null, 2000] },
      ]}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Time', 'p95', 'p99'],
    ['2024-08-01 11:00', '1.5s', '2s'],
    ['2024-08-01 10:00', '120ms', '–'],
  ])
})

test('units', () => {
  expect([
    formatUnit(25_000, 'count'),
    formatUnit(2048, 'bytes'),
    formatUnit(99.5, 'percent'),
    formatUnit(null, 'ms'),
    formatUnit(3, (v) => `${v} pods`),
  ]).toEqual(['25k', '2 KB', '99.5%', '–', '3 pods'])
})

test('a sparkline breaks at gaps and survives single and equal values', () => {
  expect(sparkPath([1, 2, null, 3], 100, 20).match(/M/g)).toHaveLength(2)
  expect(sparkPath([], 100, 20)).toBe('')
  expect(sparkPath([5], 100, 20)).toBe('M1.0 19.0')
  expect(sparkPath([5, 5], 100, 20)).toBe('M1.0 19.0L99.0 19.0')
})

test('a strip shows the worst of what it puts together', () => {
  const entries = Array.from({ length: 100 }, (_, i) => ({
    time: i * 1000 + 1,
    health: i === 42 ? ('unhealthy' as const) : ('healthy' as const),
  }))
  const bars = squeeze(entries, 50)
  expect(bars).toHaveLength(50)
  expect(bars.filter((bar) => bar.health === 'unhealthy')).toHaveLength(1)
  render(<StatusStrip entries={entries} label="History" />)
  expect(screen.getByRole('img', { name: 'History: 100 runs, 1 unhealthy' })).toBeDefined()
})
