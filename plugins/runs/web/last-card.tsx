import { RecentCard } from './recent-card.tsx'

/** The last runs of the caller, however they ended. */
export default function LastCard() {
  return (
    <RecentCard
      title="Last runs"
      empty="Talk with an agent, and what it did stands here."
      chosen={({ run }) => run.endedAt !== null}
    />
  )
}
