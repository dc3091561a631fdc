import type { Fact, Kernel, Principal, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { AboutRun, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { OpenAiSettings } from '../settings.ts'
import type { Exchange, ExchangeStore } from '../stores/exchanges.ts'
import { actingAs, NOW, unlessGone } from './acting.ts'
import type { Uploads } from './uploads.ts'

export type Removals = ReturnType<typeof createRemovals>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: OpenAiSettings
  runs: Runs
  sessions: Sessions
  jobs: Jobs
  uploads: Uploads
  exchangeStore: ExchangeStore
}

const BATCH = 100

interface Abandoned {
  readonly project: string
  readonly owner: string
  readonly runId: string
  readonly callIds: readonly string[]
}

/** What goes: responses that are deleted, what has expired, and runs whose clients do not come back. */
export function createRemovals(deps: Deps) {
  const { transaction, facts, settings, runs, sessions, jobs, uploads, exchangeStore } = deps

  /** Its session goes with the last of its exchanges. */
  async function remove(by: Principal, exchange: Exchange): Promise<void> {
    const { project, id, owner, runId } = exchange
    const run = await runs.settled(by, runId, NOW).catch(unlessGone)
    await transaction(async (trx) => {
      const gone = await exchangeStore.remove(exchange, trx)
      if (gone === 1 && exchange.stored && exchange.kind === 'response')
        await facts.record(trx, 'openai.response_deleted', by, { subject: id, owner, data: { id } })
    })
    if (!run || (await exchangeStore.countOfSession(project, run.sessionId)) > 0) return
    await sessions.remove(by, run.sessionId).catch(unlessGone)
  }

  const cleanUp: Worker = {
    cron: '23 * * * *',
    async work(_data, signal) {
      for (let more = true; more && !signal.aborted; ) {
        const expired = await exchangeStore.listExpired(BATCH)
        for (const exchange of expired) await remove(actingAs(exchange), exchange)
        more = expired.length === BATCH
      }
      while (!signal.aborted && (await uploads.removeExpired()));
    }
  }

  /** A client that never sends what its tools gave is not coming back. */
  const abandon: Worker = {
    async work(data) {
      const { project, owner, runId, callIds } = data as Abandoned
      const by = actingAs({ project, owner })
      const run = await runs.settled(by, runId, NOW).catch(unlessGone)
      const open = run?.pending.flatMap((it) => (it.for === 'result' ? it.callId : [])) ?? []
      if (open.some((id) => callIds.includes(id))) await runs.cancel(by, runId).catch(unlessGone)
    }
  }

  /** By facts, so that it also holds for what nobody follows. */
  async function suspended(about: readonly Fact<AboutRun>[], trx: Trx): Promise<void> {
    for (const [project, those] of Map.groupBy(about, (fact) => fact.project)) {
      const known = await exchangeStore.listKnown(
        trx,
        project,
        those.map(({ data }) => data.runId)
      )
      for (const { runId, owner } of known) {
        const run = await runs.settled(actingAs({ project, owner }), runId, NOW).catch(unlessGone)
        const callIds = run?.pending.flatMap((it) => (it.for === 'result' ? it.callId : [])) ?? []
        if (callIds.length === 0) continue
        const data: Abandoned = { project, owner, runId, callIds }
        await jobs.send('openai.abandon', data, { trx, inSeconds: settings.callSeconds })
      }
    }
  }

  return { remove, cleanUp, abandon, suspended }
}
