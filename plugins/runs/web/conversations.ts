import { newKey } from 'agent-platform/console'
import type { RunRequest } from 'agent-platform-client'
import type { LiveRun } from './live-run.ts'
import { createLiveRun } from './live-run.ts'
import { hasEnded } from './run-view.ts'

export interface Attached {
  readonly fileId: string
  readonly name: string
}

/** A message of this page, or a run of another one that is followed here. */
export interface Followed {
  readonly key: string
  readonly live: LiveRun
  /** Of a message that was sent here. */
  readonly text?: string
  readonly attached?: readonly Attached[]
}

export interface Message {
  readonly agentId: string
  readonly text: string
  readonly attached: readonly Attached[]
  readonly strategy?: RunRequest['multitaskStrategy']
}

export type Conversation = ReturnType<typeof createConversation>

const conversations = new Map<string, Conversation>()

/** What of a session is under way, kept while other pages are looked at. */
export function conversationOf(sessionId: string): Conversation {
  const conversation = conversations.get(sessionId) ?? createConversation(sessionId)
  conversations.set(sessionId, conversation)
  return conversation
}

function createConversation(sessionId: string) {
  const listeners = new Set<() => void>()
  let followed: readonly Followed[] = []
  let isOpen = false

  /** One stream at a time, as a session has one run at a time: what stands behind it waits for its turn. */
  function advance() {
    if (!isOpen) return
    const open = followed.filter(({ live }) => !isOver(live))
    for (const [place, { live }] of open.entries()) {
      const { runId, connection } = live.state()
      if (place === 0) live.open()
      else if (runId === undefined && connection.state === 'closed') live.open({ holds: true })
    }
  }

  function add(next: Followed, isFirst = false) {
    followed = isFirst ? [next, ...followed] : [...followed, next]
    let seen = ''
    next.live.subscribe(() => {
      const { runId, status, connection } = next.live.state()
      const now = `${runId} ${status} ${connection.state}`
      if (now === seen) return
      seen = now
      followed = [...followed]
      advance()
      tell()
    })
    advance()
    tell()
  }

  function tell() {
    for (const listener of listeners) listener()
  }

  return {
    sessionId,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    followed: () => followed,
    send({ agentId, text, attached, strategy }: Message) {
      const key = newKey()
      const body: RunRequest = {
        agentId,
        sessionId,
        messages: [{ role: 'user', content: text }],
        ...(attached.length > 0 && { attachments: attached.map(({ fileId }) => ({ fileId })) }),
        ...(strategy && { multitaskStrategy: strategy })
      }
      add({ key, text, attached, live: createLiveRun({ body, key }) })
    },
    /** A run that is in the session already. */
    follow(runId: string) {
      if (followed.some(({ live }) => live.state().runId === runId)) return
      add({ key: runId, live: createLiveRun({ runId }) }, true)
    },
    /** Takes a message back that the platform did not accept. */
    drop(key: string) {
      followed = followed.filter((it) => it.key !== key)
      tell()
    },
    open() {
      isOpen = true
      advance()
    },
    /** What has ended is in the session by now. */
    close() {
      isOpen = false
      for (const { live } of followed) live.close()
      followed = followed.filter(({ live }) => !isOver(live))
      if (followed.length === 0) conversations.delete(sessionId)
    }
  }
}

const isOver = (live: LiveRun): boolean =>
  hasEnded(live.state()) || live.state().connection.state === 'refused'
