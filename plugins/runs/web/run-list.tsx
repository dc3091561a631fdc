import { Group, Select, Stack } from '@mantine/core'
import { AgentSelect, EmptyState, PageFrame, useAddress, useListSearch } from 'agent-platform/console'
import { Play } from 'lucide-react'
import { statuses } from './run-lists.ts'
import { RunTable } from './run-table.tsx'

/** All runs that the caller reaches, by status and agent. */
export default function RunList() {
  const { search, change } = useAddress()
  const status = statuses.find((it) => it === search.get('status'))
  const agentId = search.get('agent') ?? undefined
  const find = useListSearch('runs')
  return (
    <PageFrame title="Runs" description="What agents do now, what they wait for, and what they did.">
      <Stack gap="lg">
        <Group gap="md">
          <Select
            label="Status"
            placeholder="All statuses"
            data={statuses.map((value) => ({
              value,
              label: value.charAt(0).toUpperCase() + value.slice(1)
            }))}
            value={status ?? null}
            onChange={(status) => change({ status })}
            clearable
            w={{ base: '100%', xs: 200 }}
          />
          <AgentSelect
            placeholder="All agents"
            value={agentId ?? null}
            onChange={(agent) => change({ agent })}
            clearable
            w={{ base: '100%', xs: 260 }}
          />
        </Group>
        <RunTable
          search={find}
          filter={{ ...(status && { status }), ...(agentId && { agentId }) }}
          empty={
            <EmptyState icon={Play} title={status || agentId ? 'There is none of these' : 'No runs yet'}>
              {status || agentId
                ? 'Choose another status or agent.'
                : 'Talk with an agent: each of its answers is a run.'}
            </EmptyState>
          }
        />
      </Stack>
    </PageFrame>
  )
}
