import { Button, Text } from '@mantine/core'
import { CodeBlock, Markdown } from 'agent-platform/console'
import { memo, useState } from 'react'
import { Folded } from './folded.tsx'
import { GrowingText } from './growing-text.tsx'
import type { Called, Part, RunView } from './run-view.ts'
import { hasEnded } from './run-view.ts'
import { ToolCall, ToolResult } from './tool-call.tsx'

/** Laid out at once; a run may have made thousands of calls. */
const SHOWN = 50

/** What a run thought, said and called, in its order: the last of it, and what was before when that is asked for. */
export function RunParts({ view }: { view: RunView }) {
  const { parts, requests } = view
  const [shown, setShown] = useState(SHOWN)
  const waiting = new Set(requests.map(({ callId }) => callId))
  const isOver = hasEnded(view)
  const earlier = Math.max(0, parts.length - shown)
  return (
    <>
      {earlier > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => setShown(shown + SHOWN)}>
          Show earlier ({earlier.toLocaleString('en')})
        </Button>
      )}
      {parts.slice(earlier).map((part) => (
        <PartOfRun
          key={part.key}
          part={part}
          isGrowing={!isOver && part === parts.at(-1)}
          isWaiting={part.kind === 'call' && waiting.has(part.callId)}
          isOver={isOver}
        />
      ))}
    </>
  )
}

interface Props {
  readonly part: Part
  readonly isGrowing: boolean
  readonly isWaiting: boolean
  readonly isOver: boolean
}

const PartOfRun = memo(function PartOfRun({ part, isGrowing, isWaiting, isOver }: Props) {
  if (part.kind === 'call') return <CallOfRun call={part} isWaiting={isWaiting} isOver={isOver} />
  if (part.kind === 'thought')
    return (
      <Folded label={isGrowing ? 'Thinking…' : 'Thoughts'}>
        {isGrowing ? <GrowingText text={part.text} /> : <Markdown text={part.text} />}
      </Folded>
    )
  return isGrowing ? <GrowingText text={part.text} /> : <Markdown text={part.text} />
})

function CallOfRun({ call, isWaiting, isOver }: Pick<Props, 'isWaiting' | 'isOver'> & { call: Called }) {
  const { toolName, args, isEnded, isError, ms } = call
  const open = isOver ? 'failed' : isWaiting ? 'waiting' : 'running'
  const state = isEnded ? (isError ? 'failed' : 'ended') : open
  return (
    <>
      <ToolCall toolName={toolName} args={args} state={state} ms={ms}>
        {() => <Outcome call={call} />}
      </ToolCall>
      {call.failures !== undefined && (
        <Text size="xs" c="dimmed">
          Failed {call.failures} times in a row with the same arguments
        </Text>
      )}
    </>
  )
}

function Outcome({ call: { toolName, progress, isEnded, output, isError } }: { call: Called }) {
  if (isEnded) return <ToolResult toolName={toolName} output={output} isError={isError} />
  return progress && <CodeBlock value={progress} label={`Progress of ${toolName}`} />
}
