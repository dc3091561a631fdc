import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, Loaded, Panel, useAddress, useAgentNames } from 'agent-platform/console'
import type { Grouping } from './queries.ts'
import { daysOf, summaryQuery } from './queries.ts'
import { SpendingChart } from './spending-chart.tsx'

const groupings = [
  { value: 'day', label: 'By day' },
  { value: 'agent', label: 'By agent' },
  { value: 'model', label: 'By model' },
  { value: 'tool', label: 'By tool' }
]

/** What the last 30 days cost, by what it was spent for. */
export function Summary() {
  const { search, change } = useAddress()
  const asked = search.get('by')
  const by = (groupings.some(({ value }) => value === asked) ? asked : 'day') as Grouping
  const summary = useQuery(summaryQuery(by))
  const names = useAgentNames(
    by === 'agent' ? (summary.data?.groups.flatMap(({ key }) => (key ? [key] : [])) ?? []) : []
  )
  return (
    <Panel
      title="The last 30 days"
      actions={
        <SegmentedControl
          aria-label="What spending is shown by"
          size="xs"
          data={groupings}
          value={by}
          onChange={(next) => change({ by: next === 'day' ? null : next })}
        />
      }
    >
      <Loaded query={summary}>
        {(shown) => (
          <>
            <Text size="sm" mb="md">
              {shown.spent} credits were spent.
            </Text>
            {by === 'day' ? (
              <SpendingChart days={daysOf(shown)} height={180} />
            ) : (
              <DataTable
                label="Spending"
                rows={shown.groups.filter(({ key }) => key !== null)}
                keyOf={({ key }) => key ?? ''}
                empty="Nothing of that kind was spent."
                columns={[
                  {
                    header: by[0]?.toUpperCase() + by.slice(1),
                    cell: ({ key }) => (by === 'agent' ? (names.get(key ?? '') ?? key) : key),
                    maxWidth: 420
                  },
                  { header: 'Entries', cell: ({ entries }) => entries, isNumber: true },
                  { header: 'Credits', cell: ({ spent }) => spent, isNumber: true }
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
