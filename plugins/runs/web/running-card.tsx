import { useQuery } from '@tanstack/react-query'
import { RunCard } from './run-card.tsx'
import { listKey, readRuns } from './run-lists.ts'

const SHOWN = 6

/** Runs that are under way, and those that wait for their turn. */
export default function RunningCard() {
  const query = useQuery({
    queryKey: listKey({ status: 'running' }, SHOWN),
    async queryFn({ signal }) {
      const [running, queued] = await Promise.all(
        (['running', 'queued'] as const).map((status) => readRuns({ status }, SHOWN, undefined, signal))
      )
      return [...(running?.data ?? []), ...(queued?.data ?? [])].slice(0, SHOWN)
    },
    refetchInterval: 5_000
  })
  return (
    <RunCard title="Running now" empty="No run is under way." more="/runs?status=running" query={query} />
  )
}
