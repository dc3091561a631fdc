import { Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Panel } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Link } from 'wouter'
import { ScoreBadges } from './score-badges.tsx'
import { seconds } from './words.ts'

const lines = { style: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } as const
const SHOWN = 1_500
const changes = {
  improved: { label: 'better', color: 'teal' },
  regressed: { label: 'worse', color: 'red' },
  same: { label: 'same', color: 'gray' }
} as const

/** What each experiment made of one item, beside the others. */
export function ComparedItem({
  item: { input, expected, results },
  names
}: {
  item: Schemas['ComparedItem']
  names: readonly string[]
}) {
  return (
    <Panel title={input.slice(0, 200)} description={expected && `Expected: ${expected.slice(0, 500)}`}>
      <SimpleGrid
        cols={{ base: 1, sm: Math.min(2, results.length), lg: Math.min(3, results.length) }}
        spacing="lg"
      >
        {results.map((result, index) => (
          <Stack key={names[index] + String(index)} gap={6} miw={0}>
            <Group gap={6}>
              <Text size="xs" fw={600} c="dimmed" truncate maw={220}>
                {names[index]}
              </Text>
              {index > 0 && result?.change && (
                <Badge size="sm" variant="light" tt="none" color={changes[result.change].color}>
                  {changes[result.change].label}
                </Badge>
              )}
            </Group>
            {result ? (
              <>
                <Text size="sm" lineClamp={8} c={result.error ? 'red' : undefined} {...lines}>
                  {(result.error?.message ?? result.output ?? '–').slice(0, SHOWN)}
                </Text>
                <ScoreBadges scores={result.scores} />
                <Group gap="sm">
                  <Text size="xs" c="dimmed">
                    {seconds(result.milliseconds)}
                  </Text>
                  {result.runId && (
                    <Anchor component={Link} href={`/runs/${result.runId}`} size="xs">
                      The run
                    </Anchor>
                  )}
                </Group>
              </>
            ) : (
              <Text size="sm" c="dimmed">
                It was no part of this experiment.
              </Text>
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Panel>
  )
}
