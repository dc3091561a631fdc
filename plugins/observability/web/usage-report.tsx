import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Select, Stack, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AgentLink, api, DataTable, Details, Loaded, Panel, useAddress } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

type Item = Schemas['UsageItem']

const groupings = [
  { value: 'agent', label: 'By agent' },
  { value: 'model', label: 'By model' },
  { value: 'tool', label: 'By tool' }
]

const usageQuery = (query: { interval: 'day' | 'all'; groupBy?: string }) => ({
  queryKey: ['observability', 'usage', query],
  async queryFn({ signal }: { signal: AbortSignal }) {
    const report = await api.get('/v1/usage', { params: { query }, signal })
    if (typeof report === 'string') throw new Error('The report came as CSV')
    return report.data
  },
  refetchInterval: 15_000
})

/** Tokens and cost of the last 30 days. */
export function UsageReport() {
  const { search, change } = useAddress()
  const asked = groupings.find(({ value }) => value === search.get('by'))
  const by = asked?.value ?? 'agent'
  const days = useQuery(usageQuery({ interval: 'day' }))
  const parts = useQuery(usageQuery({ interval: 'all', groupBy: by }))
  return (
    <Stack gap="lg">
      <Panel title="Tokens a day" description="Of the last 30 days, in UTC.">
        <Loaded query={days}>
          {(report) => (
            <Stack>
              <Details
                of={{
                  'Calls of models': report.total.modelCalls.toLocaleString(),
                  'Calls of tools': report.total.toolCalls.toLocaleString(),
                  'Tokens in / out': `${report.total.inputTokens.toLocaleString()} / ${report.total.outputTokens.toLocaleString()}`,
                  Cost: report.total.cost === null ? 'No prices' : `${report.total.cost} credits`
                }}
              />
              <Days report={report} />
            </Stack>
          )}
        </Loaded>
      </Panel>
      <Panel
        title="What used them"
        actions={
          <Select
            aria-label="Grouped"
            size="xs"
            data={groupings}
            value={by}
            onChange={(value) => change({ by: value === 'agent' ? null : value })}
            allowDeselect={false}
          />
        }
      >
        <Loaded query={parts}>
          {({ items }) => (
            <DataTable
              label="Usage"
              rows={items.map((item, index) => ({ ...item, id: String(index) }))}
              empty="Nothing was used."
              columns={[
                { header: 'Of', cell: (item: Item) => <Of item={item} />, maxWidth: 320 },
                { header: 'Calls', cell: (item) => item.modelCalls + item.toolCalls, isNumber: true },
                {
                  header: 'Tokens in',
                  cell: ({ inputTokens }) => inputTokens.toLocaleString(),
                  isNumber: true
                },
                {
                  header: 'Tokens out',
                  cell: ({ outputTokens }) => outputTokens.toLocaleString(),
                  isNumber: true
                },
                { header: 'Credits', cell: ({ cost }) => cost ?? '–', isNumber: true }
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </Stack>
  )
}

function Of({ item: { agentId, modelProvider, modelId, toolName } }: { item: Item }) {
  if (agentId) return <AgentLink agentId={agentId} />
  return toolName ?? `${modelProvider}/${modelId}`
}

/** Each of the days; those on which something was used are told to screen readers. */
function Days({ report: { from, to, items } }: { report: Schemas['UsageReport'] }) {
  const used = new Map(items.map((item) => [item.start?.slice(0, 10), item]))
  const data: { day: string; in: number; out: number }[] = []
  const last = Date.parse(to.slice(0, 10))
  for (let at = Date.parse(from.slice(0, 10)); at <= last; at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    data.push({ day, in: used.get(day)?.inputTokens ?? 0, out: used.get(day)?.outputTokens ?? 0 })
  }
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={220}
          data={data}
          dataKey="day"
          type="stacked"
          series={[
            { name: 'in', label: 'Tokens in', color: 'indigo.4' },
            { name: 'out', label: 'Tokens out', color: 'indigo.7' }
          ]}
          yAxisProps={{ width: 64 }}
          barChartProps={{ accessibilityLayer: false }}
          maxBarWidth={24}
          withLegend
          barProps={{ isAnimationActive: false }}
        />
      </div>
      <VisuallyHidden>
        {items.length === 0
          ? 'Nothing was used.'
          : data
              .filter((it) => it.in + it.out > 0)
              .map((it) => `${it.day}: ${it.in} in, ${it.out} out`)
              .join('; ')}
      </VisuallyHidden>
    </>
  )
}
