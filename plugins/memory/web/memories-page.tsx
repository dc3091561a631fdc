import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  AgentSelect,
  EmptyState,
  Loaded,
  newestAgentsQuery,
  PageFrame,
  useAddress
} from 'agent-platform/console'
import { Brain, Share2 } from 'lucide-react'
import { AgentMemoryView } from './agent-memory-view.tsx'
import { NewScope } from './new-scope.tsx'

/** The memories of one agent at a time, the first one's at first. */
export default function MemoriesPage() {
  const { search, change } = useAddress()
  const agents = useQuery(newestAgentsQuery)
  const agentId = search.get('agent') ?? agents.data?.keys().next().value ?? null
  return (
    <PageFrame
      title="Memories"
      description="What agents have learned. It can be corrected, traced and forgotten; shared scopes are known to several agents."
      actions={
        <Button
          variant="default"
          leftSection={<Share2 size={16} aria-hidden />}
          onClick={() => change({ new: 'scope' })}
        >
          New shared scope
        </Button>
      }
    >
      <Group mb="md">
        <AgentSelect
          value={agentId}
          onChange={(agent) => agent && change({ agent, scope: undefined })}
          allowDeselect={false}
          w={300}
        />
      </Group>
      {agentId ? (
        <AgentMemoryView key={agentId} agentId={agentId} />
      ) : (
        <Loaded query={agents}>
          {() => (
            <EmptyState icon={Brain} title="No agents yet">
              Memories are those of agents. Create an agent first.
            </EmptyState>
          )}
        </Loaded>
      )}
      <NewScope
        agentId={agentId}
        isOpen={search.get('new') === 'scope'}
        onClose={() => change({ new: undefined })}
      />
    </PageFrame>
  )
}
