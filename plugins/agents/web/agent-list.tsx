import { Anchor, Button, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, TimeAgo, useList } from 'agent-platform/console'
import { Bot, Plus } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { NewAgent } from './new-agent.tsx'

export default function AgentList() {
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const list = useList(['agents', 'list'], (cursor, signal) =>
    api.get('/v1/agents', { params: { query: { limit: 50, cursor } }, signal })
  )
  const open = () => setSearch({ new: '' })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      New agent
    </Button>
  )
  return (
    <PageFrame
      title="Agents"
      description="Each has instructions, a model, tools and a memory."
      actions={create}
    >
      <ListView
        list={list}
        empty={
          <EmptyState icon={Bot} title="No agents yet" action={create}>
            An agent answers, uses tools and remembers. Give it a name and tell it what it is for.
          </EmptyState>
        }
      >
        {(agents) => (
          <Table.ScrollContainer minWidth={520}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Model</Table.Th>
                  <Table.Th>Owner</Table.Th>
                  <Table.Th>Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {agents.map(({ id, name, instructions, modelProvider, modelId, owner, updatedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={420}>
                      <Anchor component={Link} href={`/agents/${id}`} fw={550} c="inherit">
                        {name}
                      </Anchor>
                      {instructions && (
                        <Text size="xs" c="dimmed" truncate>
                          {instructions.slice(0, 200)}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>{modelId ?? modelProvider ?? 'Default'}</Table.Td>
                    <Table.Td>{owner}</Table.Td>
                    <Table.Td>
                      <TimeAgo at={updatedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <NewAgent
        isOpen={search.has('new')}
        onClose={() => setSearch({}, { replace: true })}
        onCreated={(id) => navigate(`/agents/${id}`)}
      />
    </PageFrame>
  )
}
