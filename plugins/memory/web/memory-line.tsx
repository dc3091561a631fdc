import { Anchor, Text, Timeline, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Memory } from './queries.ts'
import { lineQuery } from './queries.ts'

const day = (at: string) => new Date(at).toLocaleDateString('en', { dateStyle: 'medium' })

/** What was so before, what is, and what came after; nothing where a memory was never replaced. */
export function MemoryLine({ memory }: { memory: Memory }) {
  const line = useQuery(lineQuery(memory))
  if (!memory.supersedes && !memory.supersededBy) return null
  return (
    <Loaded query={line}>
      {({ before, after }) => {
        const all = [...after.toReversed(), memory, ...before]
        return (
          <section aria-label="Its past">
            <Title order={2} size="h5" mb="sm">
              Its past
            </Title>
            <Timeline active={all.length} bulletSize={16} lineWidth={2}>
              {all.map(({ id, content, validFrom, validTo }) => (
                <Timeline.Item key={id}>
                  {id === memory.id ? (
                    <Text size="sm" fw={600} lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
                      {content}
                    </Text>
                  ) : (
                    <Anchor component={Link} href={`/memories/${id}`} size="sm" lineClamp={4}>
                      {content}
                    </Anchor>
                  )}
                  <Text size="xs" c="dimmed">
                    From {day(validFrom)}
                    {validTo ? ` until ${day(validTo)}` : ' on'}
                    {id === memory.id && ', this one'}
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
          </section>
        )
      }}
    </Loaded>
  )
}
