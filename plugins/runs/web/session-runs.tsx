import { EmptyState } from 'agent-platform/console'
import { Play } from 'lucide-react'
import { RunTable } from './run-table.tsx'

/** The runs of a session, those that wait for their turn among them. */
export default function SessionRuns({ sessionId }: { sessionId: string }) {
  return <RunTable filter={{ sessionId }} empty={<EmptyState icon={Play} title="No runs yet" />} />
}
