import type { Kernel, Principal } from 'agent-platform'
import { conflict, digestOf, invalid, newId, owned } from 'agent-platform'
import type { RunOrder, Runs } from '../../runs/contract.ts'
import type { Names } from '../protocol/failures.ts'
import { renamed } from '../protocol/failures.ts'
import type { Heard } from '../protocol/heard.ts'
import { outputsAhead } from '../protocol/response-input.ts'
import type { OpenAiSettings } from '../settings.ts'
import type { Exchange, ExchangeStore, NewExchange } from '../stores/exchanges.ts'
import { NOW, unlessGone } from './acting.ts'
import type { Histories, History } from './histories.ts'
import type { Uploads } from './uploads.ts'

export type Exchanges = ReturnType<typeof createExchanges>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'streams' | 'log'> {
  settings: OpenAiSettings
  runs: Runs
  uploads: Uploads
  histories: Histories
  exchangeStore: ExchangeStore
}

/** What a request wants, in this pack's words. */
export interface Wanted
  extends Pick<NewExchange, 'kind' | 'agentId' | 'stored' | 'asked' | 'input' | 'metadata'> {
  readonly heard: Heard
  /** All that tells this conversation from another one: what was said, and how it is to be answered. */
  readonly said: { readonly words: readonly unknown[]; readonly manner: unknown }
  readonly previous: Exchange | undefined
  readonly key: string | undefined
  readonly names: Names
}

export interface Begun {
  readonly exchange: Exchange
  /** Nobody else can get at it: it is of no use when the caller leaves. */
  readonly isOwn: boolean
}

const HOUR_MS = 3_600_000

/** Requests of clients, and the runs that answer them. */
export function createExchanges(deps: Deps) {
  const { transaction, facts, streams, log, settings, runs, uploads, histories, exchangeStore } = deps

  const digest = (agentId: string, words: readonly unknown[], manner: unknown) =>
    digestOf([agentId, words, manner])

  async function begin(by: Principal, wanted: Wanted): Promise<Begun> {
    const { heard, previous, agentId, said } = wanted
    const waiting = previous ?? (await recognised(by, wanted))
    if (waiting) {
      const exchange = await goOn(by, wanted, waiting)
      if (exchange) return { exchange, isOwn: wanted.key === undefined }
    }
    const before = previous && (await histories.before(by, previous, heard))
    return start(by, wanted, digest(agentId, said.words, said.manner), before)
  }

  /** The exchange whose run waits for the results that the client sends, with all that was said before. */
  async function recognised(by: Principal, { heard, agentId, said }: Wanted) {
    const { results } = heard
    const callId = results?.outputs[0]?.callId
    if (callId === undefined || !results?.before) return undefined
    const found = await exchangeStore.findOfCall(by.project, callId)
    if (!found || found.owner !== by.owner || found.agentId !== agentId) return undefined
    return found.digest === digest(agentId, results.before, said.manner) ? found : undefined
  }

  /** Another exchange with the same run, which gets the results; undefined where it does not wait for exactly those. */
  async function goOn(by: Principal, wanted: Wanted, before: Exchange): Promise<Exchange | undefined> {
    const { results, options } = wanted.heard
    const isAlone = wanted.previous === undefined || results?.before === undefined
    const run = await runs.settled(by, before.runId, NOW).catch(unlessGone)
    const open = run?.pending.flatMap((it) => (it.for === 'result' ? it.callId : [])) ?? []
    const missing = open.find(
      (id) => !wanted.heard.messages.some((it) => it.role === 'tool' && it.callId === id)
    )
    if (wanted.previous && missing !== undefined)
      throw invalid('/input', `No tool output found for function call ${missing}.`)
    const ahead = wanted.heard.messages.slice(0, outputsAhead(wanted.heard.messages))
    const unknown = ahead.find((it) => it.role === 'tool' && !open.includes(it.callId))
    if (wanted.previous && unknown?.role === 'tool')
      throw invalid('/input', `No tool call found for function call output with call_id ${unknown.callId}.`)
    if (!run || !results || !isAlone || open.length === 0 || open.length !== results.outputs.length)
      return undefined
    // The next reply has to call a function: the run under way was asked for its last one.
    if (options?.toolChoice) {
      if (!wanted.previous) await runs.cancel(by, run.id).catch(unlessGone)
      return undefined
    }
    const state = await streams.state(by.project, before.runId)
    if (!state) return undefined
    const { agentId, said } = wanted
    const made = await insert(by, wanted, {
      runId: run.id,
      sessionId: run.sessionId,
      after: state.last,
      used: run.usage,
      digest: digest(agentId, said.words, said.manner),
      continues: null
    })
    try {
      for (const { callId, output } of results.outputs)
        await runs.answerCall(by, { runId: run.id, callId, output })
    } catch (error) {
      await exchangeStore.remove(made)
      // Someone else answered: what the client knows is enough to begin anew.
      if ((error as { kind?: string }).kind === 'conflict' && !wanted.previous) return undefined
      throw error
    }
    return made
  }

  async function start(
    by: Principal,
    wanted: Wanted,
    said: string,
    before: History | undefined
  ): Promise<Begun> {
    const { heard, agentId, key, names, previous } = wanted
    const { given, results: _, messages, ...order } = heard
    const fileIds = await uploads.hold(by, given, expiry(wanted.stored))
    const attachments = [...new Set([...(before?.fileIds ?? []), ...fileIds])].map((fileId) => ({ fileId }))
    const runId = newId('run')
    const begins = { runId, sessionId: before?.sessionId ?? null, after: -1, used: null, digest: said }
    const continues = before?.sessionId ? (previous?.id ?? null) : null
    const exchange = await insert(by, wanted, { ...begins, continues })
    const run: RunOrder = {
      ...order,
      agentId,
      messages: [...(before?.words ?? []), ...messages],
      id: runId,
      isNew: true,
      ...(before?.sessionId && { sessionId: before.sessionId }),
      ...(attachments.length > 0 && { attachments }),
      ...(key !== undefined && { key: `openai/${key}` })
    }
    try {
      const started = await runs.start(by, run)
      if (started.id !== runId) {
        await exchangeStore.remove(exchange)
        const first = await exchangeStore.findOfRun(by.project, started.id)
        if (!first)
          throw conflict('The Idempotency-Key was used by another route', { code: 'idempotency_key_reused' })
        return { exchange: first, isOwn: false }
      }
      const known = exchangeStore.updateSession(exchange, started.sessionId)
      if (wanted.stored) await known
      else
        known.catch((error) =>
          log.warn({ err: error, run: runId }, 'the session of a completion was not noted')
        )
      return { exchange: { ...exchange, sessionId: started.sessionId }, isOwn: key === undefined }
    } catch (error) {
      await exchangeStore.remove(exchange).catch(() => undefined)
      throw renamed(error, names)
    }
  }

  async function insert(
    by: Principal,
    { kind, agentId, stored, asked, input, metadata, previous }: Wanted,
    more: Pick<NewExchange, 'runId' | 'sessionId' | 'after' | 'used' | 'digest' | 'continues'>
  ): Promise<Exchange> {
    const { project, owner } = by
    const row: NewExchange = {
      ...more,
      id: newId(kind === 'chat' ? 'chatcmpl' : 'resp'),
      project,
      owner,
      kind,
      agentId,
      previousId: previous?.id ?? null,
      stored,
      asked,
      input: stored ? input : null,
      metadata,
      expiresAt: expiry(stored),
      createdAt: new Date().toISOString()
    }
    await transaction(async (trx) => {
      if (!(await exchangeStore.insert(trx, row)))
        throw conflict('Another response goes on from the previous one at the same time; try again', {
          code: 'retry'
        })
      if (!stored || kind === 'chat') return
      const data = { id: row.id, runId: row.runId, agentId }
      await facts.record(trx, 'openai.response_stored', by, { subject: row.id, owner, data })
    })
    return { ...row, callId: null }
  }

  const expiry = (stored: boolean) =>
    stored ? null : new Date(Date.now() + settings.keepHours * HOUR_MS).toISOString()

  /** What is stored, if the principal may do that with it; 404 for what is not. */
  async function find(by: Principal, id: string, verb: 'read' | 'change', param?: string): Promise<Exchange> {
    const what = param === undefined ? 'Response' : 'Previous response'
    const found = await exchangeStore.find(id)
    const isThere = found?.kind === 'response' && found.stored
    return owned(by, isThere ? found : undefined, what, verb, { ...(param !== undefined && { param }) })
  }

  return { begin, find }
}
