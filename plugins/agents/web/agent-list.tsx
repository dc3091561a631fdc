import { Button } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  TimeAgo,
  useList,
  useListSearch
} from 'agent-platform/console'
import { Bot, Plus } from 'lucide-react'
import { useLocation, useSearchParams } from 'wouter'
import { NewAgent } from './new-agent.tsx'

export default function AgentList() {
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const find = useListSearch('agents')
  const list = useList(
    ['agents', 'list'],
    (cursor, signal) =>
      api.get('/v1/agents', { params: { query: { limit: 50, cursor, query: find.query } }, signal }),
    { search: find }
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
      <ListTable
        label="Agents"
        list={list}
        search={find}
        empty={
          <EmptyState icon={Bot} title="No agents yet" action={create}>
            An agent answers, uses tools and remembers. Give it a name and tell it what it is for.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/agents/${id}`,
            cell: ({ name }) => name,
            note: ({ instructions }) => instructions
          },
          { header: 'Model', cell: ({ modelId, modelProvider }) => modelId ?? modelProvider ?? 'Default' },
          { header: 'Owner', cell: ({ owner }) => owner },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <NewAgent
        isOpen={search.has('new')}
        onClose={() => setSearch({}, { replace: true })}
        onCreated={(id) => navigate(`/agents/${id}`)}
      />
    </PageFrame>
  )
}
