import { useMemo } from 'react'
import { Sparkline } from '../chart/sparkline.tsx'
import { StatusStrip } from '../chart/status-strip.tsx'
import { TimeChart } from '../chart/time-chart.tsx'
import { toast } from '../toast.tsx'
import { Block } from './block.tsx'

const now = Date.UTC(2026, 10, 14, 22, 0)

export function Charts() {
  const data = useMemo(() => {
    const times = Array.from({ length: 288 }, (_, i) => now - (288 - i) * 300_000)
    const wave = (base: number, swing: number, shift: number) =>
      times.map((_, i) =>
        i > 120 && i < 128 ? null : Math.max(0, base + Math.sin(i / 14 + shift) * swing + ((i * 7919) % 37)),
      )
    return {
      times,
      latency: [
        { label: 'p95', values: wave(220, 80, 0) },
        { label: 'p97', values: wave(300, 90, 0.5) },
        { label: 'p99', values: wave(520, 160, 1), dashed: true },
      ],
      hours: times.filter((_, i) => i % 12 === 0),
      runs: [
        {
          label: 'passed',
          kind: 'bars' as const,
          colour: 'ok' as const,
          values: wave(60, 20, 0).filter((_, i) => i % 12 === 0),
        },
        {
          label: 'failed',
          kind: 'bars' as const,
          colour: 'bad' as const,
          values: wave(10, 9, 2).filter((_, i) => i % 12 === 0),
        },
      ],
      memory: [{ label: 'memory', kind: 'area' as const, values: wave(3e9, 8e8, 0) }],
    }
  }, [])
  const entries = data.times.slice(0, 90).map((time, i) => ({
    time,
    health:
      i % 17 === 3
        ? ('unhealthy' as const)
        : i % 23 === 5
          ? ('warning' as const)
          : i > 40 && i < 45
            ? ('unknown' as const)
            : ('healthy' as const),
    text: '120 ms',
  }))
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <div className="rounded-lg border border-line bg-surface p-4">
        <TimeChart
          label="Response time"
          unit="ms"
          times={data.times}
          series={data.latency}
          onSelectRange={(from, to) => toast.info(`${from.toISOString()} – ${to.toISOString()}`)}
        />
      </div>
      <div className="rounded-lg border border-line bg-surface p-4">
        <TimeChart label="Runs" times={data.hours} series={data.runs} />
      </div>
      <div className="rounded-lg border border-line bg-surface p-4">
        <TimeChart label="Memory" unit="bytes" times={data.times} series={data.memory} />
      </div>
      <div className="rounded-lg border border-line bg-surface p-4">
        <TimeChart label="Nothing yet" times={[]} series={[]} />
      </div>
      <Block title="Small">
        <div className="flex items-center gap-6">
          <Sparkline label="Latency of the last day" values={data.latency[0]!.values} />
          <StatusStrip label="History" entries={entries} className="w-96" />
        </div>
      </Block>
    </div>
  )
}
