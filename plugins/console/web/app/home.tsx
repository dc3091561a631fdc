import { SimpleGrid, Stack } from '@mantine/core'
import { Contributed, useContributions } from '../kit/contributions.tsx'
import { PageFrame } from '../kit/page-frame.tsx'
import { useSession } from '../kit/session.tsx'
import { WaitingCard } from './waiting-card.tsx'

/** What the mounted packs have to say at a glance. */
export function Home() {
  const { principal } = useSession()
  const cards = useContributions('homeCards')
  const wide = cards.filter(({ size }) => size === 'full')
  return (
    <PageFrame title="Home" description={principal && `Project ${principal.project}`}>
      <Stack gap="lg">
        {wide.map(({ key, load }) => (
          <Contributed key={key} load={load} />
        ))}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <WaitingCard />
          {cards
            .filter(({ size }) => size !== 'full')
            .map(({ key, load }) => (
              <Contributed key={key} load={load} />
            ))}
        </SimpleGrid>
      </Stack>
    </PageFrame>
  )
}
