import { useQuery } from '@tanstack/react-query'
import { RunCard } from './run-card.tsx'
import { listKey, readRuns } from './run-lists.ts'

const SHOWN = 6

/** The last runs that the caller reaches, however they ended. */
export default function LastCard() {
  const query = useQuery({
    queryKey: listKey({}, SHOWN),
    queryFn: async ({ signal }) => (await readRuns({}, SHOWN, undefined, signal)).data,
    refetchInterval: 15_000
  })
  return (
    <RunCard
      title="Last runs"
      empty="Talk with an agent, and what it did stands here."
      more="/runs"
      query={query}
    />
  )
}
