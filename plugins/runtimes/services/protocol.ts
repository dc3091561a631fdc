import type { IncomingMessage } from 'node:http'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, depthOf, forbidden, invalid, notFound, parseJson, tooLarge } from 'agent-platform'
import { Value } from 'typebox/value'
import type { Agents } from '../../agents/contract.ts'
import type { TurnEvent } from '../schemas/protocol.ts'
import { TurnEvent as eventSchema } from '../schemas/protocol.ts'
import type { RuntimeSettings } from '../settings.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeStore } from '../stores/runtimes.ts'
import type { TurnRow, TurnStore } from '../stores/turns.ts'
import type { Ending } from './ending.ts'
import type { Issuing } from './issuing.ts'
import type { Turns } from './turns.ts'

export type Protocol = ReturnType<typeof createProtocol>

/** Of a line of an answer. */
const LINE = 262_144
/** Of arguments of calls. */
const DEPTH = 64
/** Events that are kept at a time. */
const TOGETHER = 500
/** Awake for so long, a runtime does not fail in a row any more. */
const STEADY_MS = 60_000

interface Deps extends Pick<Kernel, 'transaction' | 'knex'> {
  settings: RuntimeSettings
  agents: Agents
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
  turns: Turns
  issuing: Issuing
  ending: Ending
}

/** What runtimes say to the platform: only the agent itself does, by whatever credential of its. */
export function createProtocol(deps: Deps) {
  const { transaction, knex, settings, agents, runtimeStore, processStore, turnStore, turns, issuing } = deps
  const { ending } = deps

  async function itself(by: Principal, agentId: string): Promise<void> {
    if (by.type === 'agent' && by.id === agentId) return
    await agents.owned(by, agentId, 'read')
    throw forbidden('Only the agent itself speaks for its runtime', { code: 'not_the_agent' })
  }

  async function processOf(by: Principal, agentId: string, processId: string): Promise<ProcessRow> {
    await itself(by, agentId)
    const row = await processStore.find(processId)
    if (row?.project !== by.project || row.agentId !== agentId) throw notFound('Process')
    return row
  }

  /** Of any other agent it is as unknown as one that never was. */
  async function turnOf(by: Principal, agentId: string, turnId: string): Promise<TurnRow> {
    await itself(by, agentId)
    const row = await turnStore.find(turnId)
    if (row?.project !== by.project || row.agentId !== agentId) throw notFound('Turn')
    return row
  }

  async function ready(process: ProcessRow, capabilities: string[]): Promise<void> {
    await transaction(async (trx) => {
      const runtime = await runtimeStore.lock(trx, process)
      const now = await processStore.lock(trx, process)
      if (!runtime || now?.state !== 'starting') return
      const at = new Date().toISOString()
      const row = await processStore.update(trx, now, { state: 'ready', readyAt: at, lastSeenAt: at })
      const isNew = row.deployment > runtime.deployment
      await runtimeStore.update(trx, runtime, {
        ...{ observed: 'awake', capabilities, lastSeen: at, usedAt: at, restartAt: null },
        ...(isNew && { deployment: row.deployment, deployed: runtime.candidate, candidate: null }),
        ...(isNew && { reason: null })
      })
      for (const other of await processStore.listLive(trx, runtime)) {
        if (other.id === row.id || other.state === 'draining') continue
        await processStore.update(trx, other, { state: 'draining', drainingAt: at })
        await turns.tellProcess(trx, other, [{ type: 'drain', fields: {} }])
      }
      await turns.give(trx, row, await turnStore.lockQueued(trx, runtime))
      await ending.tell(trx, 'runtimes.woken', { ...runtime, observed: 'awake', reason: null })
    })
  }

  return {
    /** The stream of what a process is to do. */
    async streamOf(by: Principal, agentId: string, processId: string) {
      const { project, id, state } = await processOf(by, agentId, processId)
      if (state === 'ended') throw conflict('The process has ended', { code: 'process_ended' })
      return { project, stream: id, idField: 'processId' }
    },

    async beat(by: Principal, agentId: string, processId: string, capabilities: string[] | undefined) {
      const process = await processOf(by, agentId, processId)
      if (process.state === 'ended') throw conflict('The process has ended', { code: 'process_ended' })
      if (process.state === 'starting') await ready(process, capabilities ?? [])
      const at = new Date().toISOString()
      const row = await processStore.update(knex, process, { lastSeenAt: at })
      const runtime = await runtimeStore.find(process)
      if (runtime && row.state === 'ready') {
        const isSteady = runtime.failures > 0 && Date.now() - Date.parse(row.readyAt ?? at) > STEADY_MS
        const given = capabilities && process.state !== 'starting' ? { capabilities } : {}
        await transaction((trx) =>
          runtimeStore.update(trx, runtime, { lastSeen: at, ...given, ...(isSteady && { failures: 0 }) })
        )
      }
      const left = Date.parse(row.credentialEndsAt ?? at) - Date.now()
      return {
        state: row.state === 'draining' ? ('draining' as const) : ('ready' as const),
        nextSeconds: settings.heartbeatSeconds,
        credential: left < settings.credentialSeconds * 500 ? await renew(row) : null
      }
    },

    turnOf,

    /** Reads an answer while it comes; resolves with where it stands at its end. */
    async answer(
      turn: TurnRow,
      body: IncomingMessage,
      signal: AbortSignal
    ): Promise<Pick<TurnRow, 'last' | 'status'>> {
      let stands: Pick<TurnRow, 'last' | 'status'> = turn
      try {
        for await (const lines of linesOf(body)) {
          if (signal.aborted) break
          const events = lines.map(readEvent)
          for (let at = 0; at < events.length; at += TOGETHER)
            stands = await turns.take(turn, events.slice(at, at + TOGETHER))
        }
        return stands
      } catch (error) {
        const { kind, code, message } = error as { kind?: string; code?: string; message: string }
        if (kind === 'invalid' || kind === 'tooLarge')
          await turns.refuse(
            turn,
            code ?? 'runtime_misbehaved',
            `The runtime did not answer as it should: ${message}`
          )
        throw error
      }
    }
  }

  async function renew(process: ProcessRow) {
    const { id, token, expiresAt } = await issuing.issue(process)
    const isKept = await transaction(async (trx) => {
      const now = await processStore.lock(trx, process)
      if (!now || now.state === 'ended') return false
      await processStore.update(trx, now, {
        credentials: [...now.credentials, id],
        credentialEndsAt: expiresAt
      })
      return true
    })
    if (isKept) return { token, expiresAt }
    await issuing.revoke([id])
    throw conflict('The process has ended', { code: 'process_ended' })
  }
}

function readEvent(line: string): TurnEvent {
  let value: unknown
  try {
    value = parseJson(Buffer.from(line))
  } catch {
    throw invalid('', 'A line is no JSON')
  }
  if (depthOf(value, DEPTH) > DEPTH) throw invalid('', `A line is nested more than ${DEPTH} deep`)
  if (!Value.Check(eventSchema, value)) throw invalid('', `This is no event of a turn: ${line.slice(0, 100)}`)
  return value
}

/** The lines that came together; a line that is too long is 413. */
async function* linesOf(body: IncomingMessage): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const bytes of body) {
      const all = (rest + decoder.decode(bytes as Buffer, { stream: true })).split('\n')
      rest = all.pop() ?? ''
      if (rest.length > LINE || all.some(({ length }) => length > LINE))
        throw tooLarge(`A line has at most ${LINE} characters`, { code: 'event_too_large' })
      const lines = all.filter((line) => line.trim() !== '')
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    if (error instanceof TypeError) throw invalid('', 'The body is not UTF-8')
    throw error
  }
  if (rest.trim() !== '') yield [rest]
}
