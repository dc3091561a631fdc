import type { RecentRun } from './queries.ts'
import { RecentCard } from './recent-card.tsx'

/** Approvals, questions and results that runs of the caller wait for. */
export default function WaitingCard() {
  return (
    <RecentCard
      title="Waits for you"
      empty="Nothing waits for an approval or an answer."
      chosen={({ run }) => run.status === 'waiting'}
      words={wordsOf}
    />
  )
}

const names = { approval: 'Approval of', result: 'Result of', elicitation: 'Question of' } as const

const wordsOf = ({ run }: RecentRun): string =>
  run.pending.map((it) => `${names[it.for]} ${it.toolName}`).join(', ') || 'Waits'
