import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { ApiError } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { Fragment, useEffect, useRef } from 'react'
import { ConflictContext } from './error-notice.tsx'
import { useUnsaved } from './unsaved.tsx'
import type { Draft } from './use-draft.ts'

/** What `useAction` returns, as far as a form needs it. */
interface Saving {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly submittedAt: number
  readonly error: unknown
}

/** What a form shows of its draft. */
type Shown = Pick<Draft, 'key' | 'isChanged' | 'isStored' | 'discard' | 'rebase'> & {
  readonly newer: object | undefined
}

/**
 * A form whose input is not lost by accident. With a `draft`, the input is stored until it is saved, and what others saved meanwhile
 * is shown with a choice. Without one, whoever leaves with changed fields is asked first.
 */
export function Form(props: {
  onSubmit: () => void
  /** The action that saves the input. */
  action: Saving
  draft?: Shown
  children: ReactNode
}) {
  const { onSubmit, action, draft, children } = props
  const form = useRef<HTMLFormElement>(null)
  const begun = useRef<string>(undefined)
  const begin = () => {
    begun.current ??= fieldsOf(form.current)
  }
  useUnsaved(
    () =>
      draft
        ? draft.isChanged && !draft.isStored
        : begun.current !== undefined && begun.current !== fieldsOf(form.current),
    () => {
      draft?.discard()
      begun.current = undefined
    }
  )
  const savedAt = action.isSuccess ? action.submittedAt : undefined
  useEffect(() => {
    if (savedAt !== undefined) begun.current = fieldsOf(form.current)
  }, [savedAt])
  return (
    <form
      ref={form}
      // Before anything is entered by keyboard, pointer or a program.
      onFocusCapture={begin}
      onPointerDownCapture={begin}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ConflictContext value={draft !== undefined}>
        <Fragment key={draft?.key}>{children}</Fragment>
      </ConflictContext>
      {draft?.isChanged && !action.isPending && <DraftState draft={draft} error={action.error} />}
    </form>
  )
}

/** The values of all fields of a form, as one text to compare. */
function fieldsOf(form: HTMLFormElement | null): string {
  const fields = [...(form?.elements ?? [])].filter((it) => !(it instanceof HTMLButtonElement))
  return JSON.stringify(
    fields.map((it) => {
      if (it instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(it.type)) return it.checked
      return (it as HTMLInputElement).value
    })
  )
}

/** Tells that the input of a draft is not saved, and offers a choice where somebody else saved other values. */
export function DraftState({ draft, error }: { draft: Shown; error: unknown }) {
  const { newer, discard, rebase } = draft
  if (newer)
    return (
      <Alert mt="md" variant="light" color="yellow" role="alert" title="A newer version was saved meanwhile">
        <Stack gap="sm">
          <Text size="sm">Your changes are kept here and are not saved. The newer version has:</Text>
          {Object.entries(newer).map(([name, it]) => (
            <Text key={name} size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              <strong>{titleOf(name)}:</strong> {textOf(it)}
            </Text>
          ))}
          <Group gap="xs">
            <Button size="compact-sm" onClick={rebase}>
              Keep my changes
            </Button>
            <Button size="compact-sm" variant="default" onClick={discard}>
              Use the newer version
            </Button>
          </Group>
        </Stack>
      </Alert>
    )
  const isBehind = error instanceof ApiError && error.status === 412
  return (
    <Group mt="md" gap="xs" role="status">
      <Text size="sm" c="dimmed">
        {isBehind
          ? 'Your changes now apply to the newest version. Save them to replace its values.'
          : 'There are changes that are not saved.'}
      </Text>
      <Button size="compact-sm" variant="default" onClick={discard}>
        Discard
      </Button>
    </Group>
  )
}

const SHOWN = 500
/** `dailyTokens`: `Daily tokens`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined || text === '' || text === 'null') return 'Nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
