import { Alert, Stack, Text } from '@mantine/core'
import { Markdown } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
import { CircleAlert } from 'lucide-react'
import { Citations } from './citations.tsx'
import { GrowingText } from './growing-text.tsx'
import type { RunView } from './run-view.ts'
import { hasEnded } from './run-view.ts'

/** What the run has answered, or what it says at the moment. */
export function RunAnswer({ run, view }: { run: Run; view: RunView }) {
  const last = view.parts.findLast((part) => part.kind === 'text')
  const error = view.error ?? run.error
  const isOver = hasEnded(run)
  const said = last?.kind === 'text' ? last.text : ''
  const text = (isOver && run.content) || said
  return (
    <Stack gap="md" maw={800}>
      {error && (
        <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />} title="The run failed">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {error.message}
          </Text>
          <Text size="xs" c="dimmed">
            {error.code}
          </Text>
        </Alert>
      )}
      {!text && (
        <Text size="sm" c="dimmed">
          {isOver ? 'It has said nothing.' : 'It has said nothing yet.'}
        </Text>
      )}
      {isOver ? <Markdown text={text} /> : <GrowingText text={text} />}
      <Citations citations={run.citations.length > 0 ? run.citations : view.citations} />
    </Stack>
  )
}
