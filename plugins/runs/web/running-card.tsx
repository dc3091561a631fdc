import { RecentCard } from './recent-card.tsx'

/** Runs of the caller that are under way. */
export default function RunningCard() {
  return (
    <RecentCard
      title="Running now"
      empty="No run is under way."
      chosen={({ run }) => run.status === 'running' || run.status === 'queued'}
    />
  )
}
