import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { VisuallyHidden } from '@mantine/core'

/** What each day cost. Those that cost something are told to screen readers. */
export function SpendingChart({
  days,
  height
}: {
  days: readonly { day: string; spent: number }[]
  height: number
}) {
  const dear = days.filter(({ spent }) => spent > 0)
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={height}
          data={[...days]}
          dataKey="day"
          series={[{ name: 'spent', label: 'Credits', color: 'indigo.6' }]}
          withXAxis={false}
          yAxisProps={{ width: 56 }}
          barChartProps={{ accessibilityLayer: false }}
          maxBarWidth={16}
          barProps={{ isAnimationActive: false }}
        />
      </div>
      <VisuallyHidden>
        {dear.length === 0
          ? 'Nothing was spent.'
          : dear.map(({ day, spent }) => `${day}: ${spent}`).join('; ')}
      </VisuallyHidden>
    </>
  )
}
