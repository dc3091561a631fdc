import type { Schemas } from 'agent-platform-client'

export type Message = Schemas['TranscriptMessage']
export type Given = Extract<Message, { role: 'user' | 'system' }>
export type Answered = Extract<Message, { role: 'assistant' }>

/** What went into a run and what it left in the session. */
export interface TurnOfSession {
  readonly key: string
  readonly runId: string | null
  readonly given: readonly Given[]
  readonly answers: readonly Answered[]
}

/** From messages of which the newest comes first. */
export function turnsOf(messages: readonly Message[]): readonly TurnOfSession[] {
  const turns: { key: string; runId: string | null; given: Given[]; answers: Answered[] }[] = []
  for (const message of messages.toReversed()) {
    let turn = turns.at(-1)
    if (!turn || turn.runId !== message.runId || message.runId === null) {
      turn = { key: message.runId ?? message.id, runId: message.runId, given: [], answers: [] }
      turns.push(turn)
    }
    if (message.role === 'assistant') turn.answers.push(message)
    else turn.given.push(message)
  }
  return turns
}

/** The ID of the last message of a turn. */
export const newestOf = (turn: TurnOfSession | undefined): string | undefined =>
  (turn?.answers.at(-1) ?? turn?.given.at(-1))?.id

export const isAnswered = ({ answers }: TurnOfSession): boolean => answers.length > 0
