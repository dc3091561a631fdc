import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, useAction } from 'agent-platform/console'
import type { Session } from 'agent-platform-client'
import { ChevronLeft, ChevronRight, Pencil, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import classes from './chat.module.css'
import { conversationOf } from './conversations.ts'
import { versionsAfter } from './message-versions.ts'
import type { TurnOfSession } from './turns.ts'

/** Below a turn that has ended: its other versions, and how to make one. Nothing is lost: a version is a fork of the session. */
export function TurnActions(props: {
  agentId: string
  sessionId: string
  turn: TurnOfSession
  /** The message before the turn; null: there is none. */
  after: string | null
  branches: readonly Session[]
  onOpen: (sessionId: string) => void
}) {
  const { agentId, sessionId, turn, after, branches, onOpen } = props
  const queries = useQueryClient()
  const [edited, setEdited] = useState<string>()
  const [message] = turn.given
  const forking = useAction({
    async run(text: string) {
      const { data: fork } = await api.post('/v1/sessions/{id}/fork', {
        params: { path: { id: sessionId } },
        body: { afterMessageId: after }
      })
      const attached = message?.role === 'user' ? (message.attachments ?? []) : []
      const named = attached.map(({ fileId }) => ({ fileId, name: 'Attached' }))
      conversationOf(fork.id).send({ agentId, text, attached: named })
      return fork.id
    },
    onDone(fork) {
      setEdited(undefined)
      void queries.invalidateQueries({ queryKey: ['sessions'] })
      onOpen(fork)
    }
  })
  const versions = versionsAfter(branches, sessionId, after)
  const isOwn = turn.given.length === 1 && message?.role === 'user' && !message.untrusted
  if (edited !== undefined)
    return (
      <form
        className={classes.editing}
        onSubmit={(event) => {
          event.preventDefault()
          forking.mutate(edited)
        }}
      >
        <Textarea
          aria-label="Edited message"
          value={edited}
          onChange={(event) => setEdited(event.currentTarget.value)}
          autosize
          maxRows={12}
          data-autofocus
        />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" size="compact-sm" onClick={() => setEdited(undefined)}>
            Cancel
          </Button>
          <Button size="compact-sm" type="submit" loading={forking.isPending} disabled={edited.trim() === ''}>
            Send
          </Button>
        </Group>
      </form>
    )
  return (
    <Group gap={4} justify="flex-end">
      {versions && (
        <Group gap={2} role="group" aria-label="Versions of this message">
          <Step label="Previous version" to={versions.sessionIds[versions.shown - 1]} onOpen={onOpen}>
            <ChevronLeft size={15} aria-hidden />
          </Step>
          <Text size="xs">
            {versions.shown + 1}/{versions.sessionIds.length}
          </Text>
          <Step label="Next version" to={versions.sessionIds[versions.shown + 1]} onOpen={onOpen}>
            <ChevronRight size={15} aria-hidden />
          </Step>
        </Group>
      )}
      {isOwn && (
        <>
          <Tooltip label="Edit message">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Edit message"
              onClick={() => setEdited(message.content)}
            >
              <Pencil size={14} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Regenerate answer">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Regenerate answer"
              loading={forking.isPending}
              onClick={() => forking.mutate(message.content)}
            >
              <RefreshCw size={14} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </Group>
  )
}

function Step(props: {
  label: string
  to: string | undefined
  onOpen: (sessionId: string) => void
  children: ReactNode
}) {
  const { label, to, onOpen, children } = props
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
    >
      {children}
    </ActionIcon>
  )
}
