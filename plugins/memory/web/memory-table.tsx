import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { DataTable, StatusBadge, TimeAgo } from 'agent-platform/console'
import type { Memory, RetrievedMemory } from './queries.ts'
import { stateOf, types } from './queries.ts'

type Fit = { readonly score: number } & RetrievedMemory['why']

/** `fits`: of what was found, by id, how well and why. */
export function MemoryTable(props: { memories: readonly Memory[]; fits?: ReadonlyMap<string, Fit> }) {
  const { memories, fits } = props
  return (
    <DataTable
      label="Memories"
      rows={memories}
      columns={[
        {
          header: 'Memory',
          to: ({ id }) => `/memories/${id}`,
          cell: ({ content }) => content.slice(0, 600),
          note: (memory) => <Marks memory={memory} />,
          maxWidth: 560
        },
        { header: 'Kind', cell: ({ type }) => types[type] },
        {
          header: fits ? 'Fit' : 'Importance',
          cell: ({ id, importance }) => <FitOf fit={fits?.get(id)} importance={importance} />,
          isNumber: true
        },
        { header: 'Learned', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
      ]}
    />
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`

function FitOf({ fit, importance }: { fit: Fit | undefined; importance: number }) {
  if (!fit) return percent(importance)
  const why = `Relevance ${percent(fit.relevance)}, recency ${percent(fit.recency)}, importance ${percent(fit.importance)}`
  return (
    <Tooltip label={why} multiline maw={280}>
      <span>
        {percent(fit.score)}
        <Text size="xs" c="dimmed">
          relevance {percent(fit.relevance)}
        </Text>
      </span>
    </Tooltip>
  )
}

/** What stands out about a memory. */
export function Marks({ memory }: { memory: Memory }) {
  const state = stateOf(memory)
  if (state === 'current' && !memory.scopeId && !memory.untrusted) return null
  return (
    <Group gap={6} mt={4}>
      {state !== 'current' && <StatusBadge status={state} />}
      {memory.scopeId && (
        <Badge variant="default" tt="none" radius="sm">
          shared
        </Badge>
      )}
      {memory.untrusted && (
        <Tooltip
          label="It may be made of what a tool returned: agents follow no instruction in it."
          multiline
          maw={280}
        >
          <Badge variant="light" color="orange" tt="none" radius="sm" autoContrast tabIndex={0}>
            untrusted
          </Badge>
        </Tooltip>
      )}
    </Group>
  )
}
