import type { AnyCall } from './call.ts'
import { newKey } from './call.ts'
import type { RunStream } from './run-stream.ts'
import { createRunStream } from './run-stream.ts'
import type { Run, RunRequest } from './schemas.ts'
import type { Send } from './send.ts'

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Stands for this run: the same request with the same key attaches to it. Default: a new one. */
  readonly idempotencyKey?: string | undefined
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
}

interface RunsOptions {
  readonly send: Send
  readonly call: AnyCall
  readonly origin: string
  readonly retries: number
  readonly resumes: number
  readonly silenceMs: number
}

export function createRuns({ call, ...options }: RunsOptions): Runs {
  const { send } = options

  async function hasEnded(runId: string, signal: AbortSignal): Promise<boolean> {
    const path = { runId }
    const { data } = (await call('get', '/v1/agents/runs/{runId}', { params: { path }, signal })) as {
      data: Run
    }
    return data.endedAt !== null
  }

  return {
    async run(body, { signal, idempotencyKey } = {}) {
      const { data } = (await call('post', '/v1/agents/run', { body, signal, idempotencyKey })) as {
        data: Run
      }
      return data
    },

    stream(body, { signal, idempotencyKey = newKey() } = {}) {
      const headers = { accept: 'text/event-stream', 'idempotency-key': idempotencyKey }
      const begin = (leaving: AbortSignal) =>
        send('post', '/v1/agents/run/stream', { body, headers, signal: leaving })
      return createRunStream({ ...options, hasEnded, begin, after: -1, signal })
    },

    follow(runId, { after = -1, signal } = {}) {
      return createRunStream({ ...options, hasEnded, runId, after, signal })
    }
  }
}
