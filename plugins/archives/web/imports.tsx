import { Alert, Button, Stack } from '@mantine/core'
import {
  AgentLink,
  api,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { PackageOpen, Upload } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { ImportAgent } from './import-agent.tsx'
import { Progress } from './progress.tsx'

type Import = Schemas['AgentImport']

/** Agents that were brought in from archives. */
export default function Imports() {
  const [search, setSearch] = useSearchParams()
  const list = useList<Import>(
    ['archives', 'imports'],
    (cursor, signal) => api.get('/v1/agents/imports', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: 3_000 }
  )
  const begin = (
    <Button leftSection={<Upload size={16} aria-hidden />} onClick={() => setSearch({ import: '' })}>
      Import an agent
    </Button>
  )
  return (
    <PageFrame
      title="Archives"
      description="Agents that were imported from archives. An agent is exported on its own page, under Export."
      actions={begin}
    >
      <ListTable
        label="Imports"
        list={list}
        empty={
          <EmptyState icon={PackageOpen} title="No agent was imported yet" action={begin}>
            An archive is an agent with all that was kept of it, here or on another platform.
          </EmptyState>
        }
        columns={[
          { header: 'Name', cell: ({ report }) => report?.agentName ?? '' },
          {
            header: 'Agent',
            cell: ({ agentId }) => (agentId === null ? '' : <AgentLink agentId={agentId} />)
          },
          {
            header: 'State',
            cell: ({ status, progress, error }) => (
              <Stack gap={4}>
                <StatusBadge status={status} />
                {status === 'running' && <Progress of={progress} />}
                {error && (
                  <Alert color="red" p={6}>
                    {error.message}
                  </Alert>
                )}
              </Stack>
            )
          },
          { header: 'Started', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
        ]}
      />
      <ImportAgent isOpen={search.has('import')} onClose={() => setSearch({}, { replace: true })} />
    </PageFrame>
  )
}
