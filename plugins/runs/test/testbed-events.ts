/** An event of a run. */
export interface Event {
  readonly type: string
  readonly runId: string
  readonly seq: number
  readonly at: string
  readonly sessionId?: string
  readonly step?: number
  readonly attempt?: number
  readonly content?: string
  readonly phase?: string
  readonly callId?: string
  readonly toolName?: string
  readonly args?: unknown
  readonly output?: unknown
  readonly isError?: boolean
  readonly deadline?: string
  readonly status?: string
  readonly supersedes?: { readonly from: number; readonly to: number }
  readonly covers?: { readonly from: number; readonly to: number }
  readonly usage?: Readonly<Record<string, number>>
  readonly message?: string
  readonly code?: string
  readonly results?: number
  readonly messages?: number
  readonly tokensBefore?: number
  readonly tokensAfter?: number
}

/** The events of a stream's text. */
export const eventsOf = (text: string): Event[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, event]) => JSON.parse(event as string))

export const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type)
/** What was said by tokens of that phase, which later events may have changed. */
export function textOf(events: readonly Event[], phase = 'final_answer'): string {
  const within = (seq: number, key: 'covers' | 'supersedes') =>
    events.some(({ [key]: span }) => span && span.from <= seq && seq <= span.to)
  const phaseOf = (event: Event) => (within(event.seq, 'covers') ? 'commentary' : event.phase)
  return events
    .filter((event) => event.type === 'token' && phaseOf(event) === phase && !within(event.seq, 'supersedes'))
    .map(({ content }) => content)
    .join('')
}
