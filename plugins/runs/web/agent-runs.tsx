import { EmptyState } from 'agent-platform/console'
import { Play } from 'lucide-react'
import { RunTable } from './run-table.tsx'

/** What an agent does and did. */
export default function AgentRuns({ agentId }: { agentId: string }) {
  return (
    <RunTable
      filter={{ agentId }}
      empty={
        <EmptyState icon={Play} title="No runs yet">
          Say something to the agent, or give it a task.
        </EmptyState>
      }
    />
  )
}
