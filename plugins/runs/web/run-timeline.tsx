import { Button, Stack, Text, Timeline } from '@mantine/core'
import { useState } from 'react'
import { RunParts } from './run-parts.tsx'
import type { Part, RunView } from './run-view.ts'

/** So many steps are laid out at first; a run may have hundreds. */
const SHOWN = 5

/** The steps of a run: what it thought, said and called in each. */
export function RunTimeline({ view }: { view: RunView }) {
  const [shown, setShown] = useState(SHOWN)
  const steps = [...Map.groupBy(view.parts, ({ step }) => step)]
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No step has begun yet.
      </Text>
    )
  return (
    <Stack gap="md" maw={800}>
      <Timeline bulletSize={14} lineWidth={2} active={steps.length}>
        {steps.slice(0, shown).map(([step, parts]) => (
          <Timeline.Item key={step} title={`Step ${step}`} styles={{ itemTitle: { fontSize: 14 } }}>
            <Text size="xs" c="dimmed" mb="xs">
              {wordsOf(parts)}
            </Text>
            <Stack gap="sm" miw={0}>
              <RunParts view={{ ...view, parts }} />
            </Stack>
          </Timeline.Item>
        ))}
      </Timeline>
      {steps.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
          Show more
        </Button>
      )}
    </Stack>
  )
}

function wordsOf(parts: readonly Part[]): string {
  const calls = parts.filter(({ kind }) => kind === 'call').length
  if (calls === 0) return 'A reply of the model'
  return calls === 1 ? 'A reply of the model and a call' : `A reply of the model and ${calls} calls`
}
