import { Loader, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CodeBlock } from 'agent-platform/console'
import { Check, ChevronRight, CircleAlert, Hourglass, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { inWords } from './durations.ts'
import classes from './tool-call.module.css'

export type CallState = 'running' | 'waiting' | 'ended' | 'failed' | 'recorded'

const icons = {
  running: <Loader size={14} aria-label="Running" />,
  waiting: <Hourglass size={15} aria-label="Waiting" />,
  ended: <Check size={15} aria-label="Ended" />,
  failed: <CircleAlert size={15} aria-label="Failed" />,
  // How it ended is read with its result.
  recorded: <Wrench size={14} aria-hidden />
}

/** A call of a tool in one line, of plain elements, as there may be hundreds; unfolded, its arguments and whatever is given as children. */
export function ToolCall(props: {
  toolName: string
  args: unknown
  state: CallState
  /** How long it took, if that is known. */
  ms?: number | undefined
  children: () => ReactNode
}) {
  const { toolName, args, state, ms, children } = props
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  return (
    <div className={classes.call} data-state={state}>
      <button
        type="button"
        className={classes.head}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <ChevronRight size={15} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        <span className={classes.state}>{icons[state]}</span>
        <span className={classes.name}>{toolName}</span>
        <span className={classes.args}>{shortOf(args)}</span>
        {ms !== undefined && <span className={classes.time}>{inWords(ms)}</span>}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Stack gap="xs" className={classes.body}>
            <Text size="xs" fw={600} c="dimmed">
              Arguments
            </Text>
            <CodeBlock value={args ?? {}} label={`Arguments of ${toolName}`} />
            {children()}
          </Stack>
        )}
      </div>
    </div>
  )
}

/** What it gave. */
export function ToolResult(props: { toolName: string; output: unknown; isError: boolean }) {
  const { toolName, output, isError } = props
  return (
    <>
      <Text size="xs" fw={600} c="dimmed">
        {isError ? 'Error' : 'Result'}
      </Text>
      <CodeBlock value={output ?? null} label={`Result of ${toolName}`} />
    </>
  )
}

const shortOf = (args: unknown): string => {
  const text = JSON.stringify(args) ?? ''
  return text === '{}' ? '' : text.slice(0, 160)
}
