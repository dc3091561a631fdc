import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { PackChange } from './queries.ts'

const SHOWN = 12

/** Latency before and after each change, the newest at the right; the numbers stand in the table below it. */
export default function LatencyChart({ changes }: { changes: readonly PackChange[] }) {
  const data = changes
    .slice(0, SHOWN)
    .toReversed()
    .map(({ pack, action, at, before, after }) => ({
      change: `${pack} ${action}, ${new Date(at).toLocaleTimeString()}`,
      before: before?.p99,
      after: after?.p99
    }))
  return (
    <div aria-hidden>
      <BarChart
        h={200}
        data={data}
        dataKey="change"
        series={[
          { name: 'before', label: 'Before', color: 'gray.5' },
          { name: 'after', label: 'After', color: 'indigo.6' }
        ]}
        withXAxis={false}
        withLegend
        valueFormatter={(value) => `${Math.round(value)} ms`}
        yAxisProps={{ width: 64 }}
        barChartProps={{ accessibilityLayer: false }}
        maxBarWidth={24}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
