import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { newestAgentsQuery } from 'agent-platform/console'
import { Link } from 'wouter'
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
  const hasAgents = (useQuery(newestAgentsQuery).data?.size ?? 0) > 0
  return (
    <RunCard
      title="Last runs"
      empty={
        <>
          Talk with an agent, and what it did stands here.{' '}
          <Anchor component={Link} href={hasAgents ? '/agents' : '/agents?new'} inherit underline="always">
            {hasAgents ? 'Choose an agent' : 'Create an agent'}
          </Anchor>
        </>
      }
      more="/runs"
      query={query}
    />
  )
}
