import type { AnyCall } from './call.ts'
import { newKey } from './call.ts'
import type { EventStream } from './event-stream.ts'
import { createEventStream } from './event-stream.ts'
import type { ApprovalDecision, ElicitationAnswer, Run, RunEvent, RunRequest } from './schemas.ts'
import type { Send } from './send.ts'

/** The events of a run, each exactly once, until it ends. It is read once. */
export interface RunStream extends AsyncIterableIterator<RunEvent> {
  /** Known once the platform has accepted the run. */
  readonly runId: string | undefined
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Stands for this run: the same request with the same key attaches to it. Default: a new one. */
  readonly idempotencyKey?: string | undefined
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
}

/** What a caller's own tool gave. */
export interface ToolResult {
  /** Any JSON. */
  readonly output: unknown
  readonly isError?: boolean
}

export interface FollowOptions {
  /** `seq` of the last event that is known already. Default: from the beginning. */
  readonly after?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Runs {
  /** Runs an agent, and resolves when the run has ended or waits for its caller. */
  run(body: RunRequest, options?: RunOptions): Promise<Run>
  /** Runs an agent, beginning when the first event is asked for. */
  stream(body: RunRequest, options?: RunOptions): RunStream
  /** The events of a run that is there already. */
  follow(runId: string, options?: FollowOptions): RunStream
  /** Resolves when the run has ended, waits for something from outside, or is queued behind one that does. */
  wait(runId: string, options?: WaitOptions): Promise<Run>
  /** Gives the result of a call of the caller's own tools; the run with what it still waits for. */
  result(runId: string, callId: string, result: ToolResult): Promise<Run>
  /** Approves a call that waits for that, or rejects it. */
  approve(runId: string, callId: string, decision?: Partial<ApprovalDecision>): Promise<Run>
  /** Answers what a tool asks in the middle of a call. */
  answer(runId: string, elicitationId: string, answer: ElicitationAnswer): Promise<Run>
  /** Resolves when the run has ended; 409 for one that had completed or failed before. */
  cancel(runId: string): Promise<Run>
}

export interface Connection {
  readonly send: Send
  readonly call: AnyCall
  /** Names the platform in errors. */
  readonly origin: string
  readonly retries: number
  readonly resumes: number
  readonly silenceMs: number
}

const named = (events: EventStream<RunEvent>): RunStream =>
  Object.defineProperty(events as never, 'runId', { get: () => events.id })

export function createRuns({ call, send, ...options }: Connection): Runs {
  const resume = (runId: string, after: number, signal: AbortSignal) =>
    send('get', '/v1/agents/runs/{runId}/stream', {
      params: { path: { runId }, query: { after } },
      headers: { accept: 'text/event-stream' },
      signal
    })
  const idOf = ({ runId }: RunEvent) => runId

  async function hasEnded(runId: string, signal: AbortSignal): Promise<boolean> {
    const path = { runId }
    const { endedAt } = await ask('get', '/v1/agents/runs/{runId}', { params: { path }, signal })
    return endedAt !== null
  }

  async function ask(...args: Parameters<AnyCall>): Promise<Run> {
    return ((await call(...args)) as { data: Run }).data
  }

  return {
    run: (body, { signal, idempotencyKey } = {}) =>
      ask('post', '/v1/agents/run', { body, signal, idempotencyKey }),

    wait: (runId, { signal } = {}) =>
      ask('get', '/v1/agents/runs/{runId}', { params: { path: { runId }, query: { wait: true } }, signal }),

    result: (runId, callId, { output, isError }) =>
      ask('post', '/v1/agents/cli-tool-result', {
        body: { runId, callId, output, ...(isError !== undefined && { isError }) }
      }),

    approve: (runId, callId, decision) =>
      ask('post', '/v1/agents/runs/{runId}/approvals/{callId}', {
        params: { path: { runId, callId } },
        body: { decision: 'approve', ...decision }
      }),

    answer: (runId, elicitationId, body) =>
      ask('post', '/v1/agents/runs/{runId}/elicitations/{elicitationId}', {
        params: { path: { runId, elicitationId } },
        body
      }),

    cancel: (runId) => ask('post', '/v1/agents/runs/{runId}/cancel', { params: { path: { runId } } }),

    stream(body, { signal, idempotencyKey = newKey() } = {}) {
      const headers = { accept: 'text/event-stream', 'idempotency-key': idempotencyKey }
      const begin = (leaving: AbortSignal) =>
        send('post', '/v1/agents/run/stream', { body, headers, signal: leaving })
      return named(createEventStream({ ...options, idOf, resume, hasEnded, begin, after: -1, signal }))
    },

    follow(runId, { after = -1, signal } = {}) {
      return named(createEventStream({ ...options, idOf, resume, hasEnded, id: runId, after, signal }))
    }
  }
}
