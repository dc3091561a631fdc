import type { Run, RunEvent, Schemas } from 'agent-platform-client'
import type { RunTimes } from './run-times.ts'
import { createRunTimes } from './run-times.ts'

/** Text of a step, in the order in which it came. */
export interface Said {
  readonly kind: 'text' | 'thought'
  readonly key: number
  readonly step: number
  readonly text: string
}

/** A call of a tool; `output` is there once it has ended. */
export interface Called {
  readonly kind: 'call'
  readonly key: number
  readonly step: number
  readonly callId: string
  readonly toolName: string
  readonly args: unknown
  readonly progress: string
  readonly isEnded: boolean
  readonly output?: unknown
  readonly isError: boolean
  /** How often it has failed in a row with the same arguments, where that was noticed. */
  readonly failures?: number
  /** Once it has ended: without the time that it waited for a decision or an answer. */
  readonly ms?: number | undefined
}

export type Part = Said | Called

/** What a run waits for from outside. */
export interface Request {
  readonly for: 'result' | 'approval' | 'elicitation'
  /** Of the call, or of the question. */
  readonly id: string
  readonly callId: string
  readonly deadline: string
  readonly message?: string
  readonly schema?: unknown
}

/** A run as its events tell it. */
export interface RunView {
  readonly runId: string | undefined
  readonly status: Run['status']
  readonly parts: readonly Part[]
  /** Of calls that have not ended; some may have been answered elsewhere. */
  readonly requests: readonly Request[]
  readonly usage: Schemas['RunUsage'] | undefined
  readonly citations: readonly Schemas['Citation'][]
  /** Why the model stopped; of a run that has ended. */
  readonly finishReason: Run['finishReason']
  readonly error: { readonly message: string; readonly code: string } | undefined
  readonly times: RunTimes
  /** `seq` of the last event; -1 before the first. */
  readonly last: number
}

export const hasEnded = ({ status }: Pick<RunView, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Where in `text` the piece of each event begins, so that a range of events can be taken back. */
type Growing = Said & { text: string; seqs: number[]; starts: number[] }
interface Draft {
  now: Growing | Called
  /** What readers have; another object only where it has changed. */
  shown: Part | undefined
}

/** Takes the events of a run in order; `view` is cheap, and keeps the identity of what has not changed. */
export function createRunView(runId?: string) {
  const drafts: Draft[] = []
  const calls = new Map<string, Draft>()
  const times = createRunTimes()
  let requests: readonly Request[] = []
  let rest: Omit<RunView, 'parts' | 'requests' | 'times'> = {
    runId,
    status: 'queued',
    usage: undefined,
    citations: [],
    finishReason: null,
    error: undefined,
    last: -1
  }
  let step = 0

  function say(kind: Said['kind'], seq: number, content: string) {
    let draft = drafts.at(-1)
    if (draft?.now.kind !== kind || draft.now.step !== step) {
      draft = { now: { kind, key: seq, step, text: '', seqs: [], starts: [] }, shown: undefined }
      drafts.push(draft)
    }
    const said = draft.now as Growing
    said.seqs.push(seq)
    said.starts.push(said.text.length)
    said.text += content
    draft.shown = undefined
  }

  /** Text of a reply that was cut, and is said anew. */
  function takeBack(from: number, to: number) {
    for (const draft of drafts) {
      const { now } = draft
      if (now.kind === 'call' || (now.seqs.at(-1) ?? -1) < from) continue
      const pieces = now.seqs.map((seq, i) => ({
        seq,
        text: now.text.slice(now.starts[i], now.starts[i + 1])
      }))
      const kept = pieces.filter(({ seq }) => seq < from || seq > to)
      Object.assign(now, { text: '', seqs: [], starts: [] })
      for (const { seq, text } of kept) {
        now.seqs.push(seq)
        now.starts.push(now.text.length)
        now.text += text
      }
      draft.shown = undefined
    }
  }

  function change(callId: string, changes: Partial<Called>) {
    const draft = calls.get(callId)
    if (!draft) return
    draft.now = { ...(draft.now as Called), ...changes }
    draft.shown = undefined
  }

  const ask = (request: Request) => {
    requests = [...requests.filter(({ id }) => id !== request.id), request]
  }

  function end(changes: Partial<typeof rest>) {
    requests = []
    rest = { ...rest, ...changes }
  }

  function add(event: RunEvent) {
    rest = { ...rest, runId: event.runId, last: event.seq }
    const ms = times.add(event)
    switch (event.type) {
      case 'agent_step':
        step = event.step
        break
      case 'token':
        say(event.phase === 'commentary' ? 'thought' : 'text', event.seq, event.content)
        break
      case 'toolStart': {
        const { seq: key, callId, toolName, args } = event
        const blank = { progress: '', isEnded: false, isError: false }
        const draft: Draft = {
          now: { kind: 'call', key, step, callId, toolName, args, ...blank },
          shown: undefined
        }
        drafts.push(draft)
        calls.set(callId, draft)
        break
      }
      case 'toolProgress': {
        const call = calls.get(event.callId)?.now as Called | undefined
        change(event.callId, { progress: (call?.progress ?? '') + event.output })
        break
      }
      case 'toolEnd':
        change(event.callId, { isEnded: true, output: event.output, isError: event.isError, ms })
        requests = requests.filter(({ callId }) => callId !== event.callId)
        break
      case 'loop_detected':
        change(event.callId, { failures: event.failures })
        break
      case 'cli_tool_request':
        ask({ for: 'result', id: event.callId, callId: event.callId, deadline: event.deadline })
        break
      case 'approval_request':
        ask({ for: 'approval', id: event.callId, callId: event.callId, deadline: event.deadline })
        break
      case 'elicitation_request': {
        const { elicitationId: id, callId, message, schema, deadline } = event
        ask({ for: 'elicitation', id, callId, message, schema, deadline })
        break
      }
      case 'status':
        if (event.supersedes) takeBack(event.supersedes.from, event.supersedes.to)
        if (event.status === 'queued' || event.status === 'waiting') rest = { ...rest, status: event.status }
        if (['running', 'resumed', 'restarted'].includes(event.status)) rest = { ...rest, status: 'running' }
        // Said when no question is open any more.
        if (event.status === 'running') requests = requests.filter((it) => it.for !== 'elicitation')
        break
      case 'final':
        return end({
          status: 'completed',
          usage: event.usage,
          citations: event.citations ?? [],
          finishReason: event.finishReason
        })
      case 'error':
        return end({ status: 'failed', error: { message: event.message, code: event.code } })
      case 'cancelled':
        return end({ status: 'cancelled' })
    }
  }

  function shown(draft: Draft): Part {
    if (draft.shown) return draft.shown
    const { now } = draft
    if (now.kind === 'call') return (draft.shown = now)
    const { kind, key, step, text } = now
    return (draft.shown = { kind, key, step, text })
  }

  return {
    add,
    view: (): RunView => ({
      ...rest,
      requests,
      times: times.times(),
      parts: drafts.map(shown).filter((part) => part.kind === 'call' || part.text !== '')
    })
  }
}

export const callsOf = ({ parts }: RunView): readonly Called[] => parts.filter((part) => part.kind === 'call')
