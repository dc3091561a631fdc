import type { Kernel, Principal, StreamEvent } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Runs, Usage } from '../../runs/contract.ts'
import type { End } from '../protocol/pieces.ts'
import { usedSince } from '../protocol/usage.ts'
import type { Exchange, ExchangeStore } from '../stores/exchanges.ts'
import { isEnded, NOW } from './acting.ts'

export type Progress = ReturnType<typeof createProgress>

interface Deps extends Pick<Kernel, 'streams' | 'log'> {
  runs: Runs
  exchangeStore: ExchangeStore
}

/** How long the first sign of an answer is waited for, so that what fails at once fails with its status. */
const FIRST_SIGN_MS = 5_000

/** Says something of the answer, or that there is none. */
const isSign = ({ type, phase }: StreamEvent) =>
  (type === 'token' && phase === 'final_answer') ||
  ['cli_tool_request', 'final', 'error', 'cancelled'].includes(type)

/** How the run of an exchange goes on. */
export function createProgress({ streams, log, runs, exchangeStore }: Deps) {
  /** The events of an exchange that are durable; up to `last`, or as they come. */
  async function* events({ project, runId, after }: Exchange, signal: AbortSignal, last?: number) {
    if (last !== undefined && last <= after) return
    for await (const body of streams.follow(project, runId, after, signal))
      for (const line of body.split('\n')) {
        const event: StreamEvent = JSON.parse(line)
        yield event
        if (event.seq === last) return
      }
  }

  /** Rejects with the failure of a run that fails before it says anything, if it does so at once. */
  async function firstSign(by: Principal, { project, runId, after }: Exchange, left: AbortSignal) {
    const signal = AbortSignal.any([left, AbortSignal.timeout(FIRST_SIGN_MS)])
    const event = await streams.until(project, runId, after, isSign, signal)
    if (event?.type === 'error' || event?.type === 'cancelled') throw await failureOf(by, runId)
  }

  async function failureOf(by: Principal, runId: string): Promise<unknown> {
    const { failure } = await runs.settled(by, runId, NOW)
    return failure ?? cancelled()
  }

  /** What was used up for it, and what its run waits for is noted, so that results are recognised. */
  async function ended(by: Principal, exchange: Exchange, end: End): Promise<Usage> {
    if (end.status === 'completed') return usedSince(end.usage, exchange.used)
    const run = await runs.settled(by, exchange.runId, NOW)
    const callId = run.pending.find((it) => it.for === 'result')?.callId
    if (end.status === 'calls' && callId !== undefined) await exchangeStore.updateCall(exchange, callId)
    return usedSince(run.usage, exchange.used)
  }

  /** The run is cancelled when its caller leaves before it has the whole answer. */
  function cancelWhenLeft(by: Principal, { runId }: Exchange, left: AbortSignal): void {
    left.addEventListener('abort', () => {
      runs.cancel(by, runId).catch((error) => {
        if (!isEnded(error))
          log.warn({ err: error, run: runId }, 'a run was not cancelled though its caller left')
      })
    })
  }

  async function cancel(by: Principal, { runId }: Exchange): Promise<void> {
    await runs.cancel(by, runId).catch((error) => {
      if (!isEnded(error)) throw error
    })
  }

  return { events, firstSign, failureOf, ended, cancelWhenLeft, cancel }
}

/** The official client asks again after a 409 unless it is told not to. */
export const cancelled = () =>
  conflict('The run was cancelled', { code: 'run_cancelled', headers: { 'x-should-retry': 'false' } })
