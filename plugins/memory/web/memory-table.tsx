import { Anchor, Badge, Group, Table, Text, Tooltip } from '@mantine/core'
import { StatusBadge, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Memory, RetrievedMemory } from './queries.ts'
import { stateOf, types } from './queries.ts'

type Fit = { readonly score: number } & RetrievedMemory['why']

/** `fits`: of what was found, by id, how well and why. */
export function MemoryTable(props: { memories: readonly Memory[]; fits?: ReadonlyMap<string, Fit> }) {
  const { memories, fits } = props
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Memory</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="right">{fits ? 'Fit' : 'Importance'}</Table.Th>
            <Table.Th>Learned</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {memories.map((memory) => (
            <Table.Tr key={memory.id}>
              <Table.Td maw={560}>
                <Anchor component={Link} href={`/memories/${memory.id}`} c="inherit" fz="sm">
                  <Text span size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                    {memory.content.slice(0, 600)}
                  </Text>
                </Anchor>
                <Marks memory={memory} />
              </Table.Td>
              <Table.Td>{types[memory.type]}</Table.Td>
              <Table.Td ta="right">
                <FitOf fit={fits?.get(memory.id)} importance={memory.importance} />
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <TimeAgo at={memory.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
