import type { EventInput, Kernel, Trx } from 'agent-platform'
import { conflict, newId, tooLarge, unavailable } from 'agent-platform'
import type { ExecutedStep, RunInfo } from '../../runs/contract.ts'
import type { TurnEvent } from '../schemas/protocol.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeStore } from '../stores/runtimes.ts'
import type { TurnRow, TurnStore } from '../stores/turns.ts'

export type Turns = ReturnType<typeof createTurns>

/** Events of a turn, and characters of them, at most. */
const EVENTS = 50_000
const CHARACTERS = 4_000_000
/** Of the latest events of a process that stay: older ones were taken long ago. */
const KEPT = 200
/** Failures in a row after which runs are not kept waiting any more. */
export const PATIENT_FAILURES = 3

interface Deps extends Pick<Kernel, 'transaction' | 'streams' | 'instances'> {
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
}

/**
 * What a runtime is asked, a step of a run each. A turn is a row and a stream: its process gets it by the stream of the process, and
 * what it answers is durable in the stream of the turn, where whichever instance executes the run reads it.
 */
export function createTurns(deps: Deps) {
  const { transaction, streams, instances, runtimeStore, processStore, turnStore } = deps

  const tellProcess = (
    trx: Trx,
    { project, id }: Pick<ProcessRow, 'project' | 'id'>,
    events: readonly EventInput[]
  ) => streams.publish(trx, [{ project, stream: id, idField: 'processId', events, keep: KEPT }])

  const say = (
    trx: Trx,
    { project, id }: Pick<TurnRow, 'project' | 'id'>,
    events: readonly EventInput[],
    ended: boolean
  ) => streams.publish(trx, [{ project, stream: id, idField: 'turnId', events, ended }])

  async function give(trx: Trx, process: ProcessRow, turns: readonly TurnRow[]): Promise<void> {
    for (const turn of turns) {
      const { id, runId, step, attempt, body } = turn
      await turnStore.update(trx, turn, { status: 'given', processId: process.id })
      const shown = {
        id,
        runId,
        sessionId: body.sessionId,
        step,
        attempt,
        messages: body.messages,
        tools: body.tools
      }
      await tellProcess(trx, process, [{ type: 'turn', fields: { turn: shown } }])
    }
  }

  async function remove(trx: Trx, turn: Pick<TurnRow, 'project' | 'id'>): Promise<void> {
    await streams.remove(trx, turn.project, turn.id)
    await turnStore.remove(trx, turn)
  }

  /** It ends without an answer: whoever executes its run reads why. */
  async function fail(trx: Trx, turn: TurnRow, code: string, message: string): Promise<void> {
    await say(trx, turn, [{ type: 'lost', fields: { code, message } }], true)
    await turnStore.update(trx, turn, { status: 'failed', endedAt: new Date().toISOString() })
  }

  /** What was asked before, by a process of the platform that went since, where it can still be answered; else undefined. */
  async function known(trx: Trx, turn: TurnRow, dead: readonly number[]): Promise<TurnRow | undefined> {
    if (turn.status === 'completed' || turn.status === 'queued') return turn
    if (turn.status !== 'given' || turn.processId === null) return undefined
    const process = await processStore.find(turn.processId, trx)
    return process && process.state !== 'ended' && !dead.includes(process.instance) ? turn : undefined
  }

  return {
    give,
    fail,
    remove,
    tellProcess,

    /** Asks the runtime, or finds what it was asked before. `isWanting`: no process of it is there. */
    async begin(
      { project, id: runId, agentId, owner }: RunInfo,
      { step, attempt }: ExecutedStep,
      body: TurnRow['body']
    ): Promise<{ turn: TurnRow; isWanting: boolean }> {
      const dead = await instances.dead()
      return transaction(async (trx) => {
        const runtime = await runtimeStore.lock(trx, { project, agentId })
        if (!runtime) throw unavailable('The runtime of the agent is gone', { code: 'runtime_gone' })
        const before = await turnStore.lockOfRun(trx, project, runId, step)
        const same = before && (await known(trx, before, dead))
        if (before && !same) await remove(trx, before)
        const isFailing =
          runtime.failures >= PATIENT_FAILURES &&
          runtime.restartAt !== null &&
          Date.parse(runtime.restartAt) > Date.now()
        if (isFailing)
          throw unavailable(`The runtime of the agent does not run: ${runtime.reason ?? 'it failed'}`, {
            code: 'runtime_failed'
          })
        const awake = {
          ...(runtime.desired === 'asleep' && { desired: 'awake' as const }),
          usedAt: new Date().toISOString()
        }
        await runtimeStore.update(trx, runtime, awake)
        const live = (await processStore.listLive(trx, runtime)).filter(
          ({ instance }) => !dead.includes(instance)
        )
        const ready = live.find(({ state }) => state === 'ready')
        if (same) return { turn: same, isWanting: same.status === 'queued' && !ready }
        const about = { project, owner, agentId, runtimeId: runtime.id, runId, step, attempt }
        const turn = await turnStore.insert(trx, { id: newId('turn'), ...about, status: 'queued', body })
        await say(trx, turn, [{ type: 'asked', fields: {} }], false)
        if (ready) await give(trx, ready, [turn])
        return { turn, isWanting: !ready }
      })
    },

    /** Nobody waits for its answer any more; its process is told. */
    cancel: (turn: TurnRow): Promise<void> =>
      transaction(async (trx) => {
        const now = await turnStore.lock(trx, turn)
        if (!now || (now.status !== 'queued' && now.status !== 'given')) return
        await say(
          trx,
          now,
          [{ type: 'lost', fields: { code: 'cancelled', message: 'The run does not wait for it' } }],
          true
        )
        await turnStore.update(trx, now, { status: 'cancelled', endedAt: new Date().toISOString() })
        const process = now.processId === null ? undefined : await processStore.find(now.processId, trx)
        if (process && process.state !== 'ended')
          await tellProcess(trx, process, [{ type: 'cancel', fields: { turnId: now.id } }])
        await runtimeStore.updateUsed(trx, { project: now.project, id: now.runtimeId })
      }),

    /** Keeps what follows what is kept; says where it stands. 409 for a turn that is over, and where something was left out. */
    take: (
      key: Pick<TurnRow, 'project' | 'id'>,
      given: readonly TurnEvent[]
    ): Promise<Pick<TurnRow, 'last' | 'status'>> =>
      transaction(async (trx) => {
        const turn = await turnStore.lock(trx, key)
        if (!turn || (turn.status !== 'given' && turn.status !== 'completed'))
          throw conflict('The turn is over', { code: 'turn_over' })
        let { last, characters } = turn
        const news: EventInput[] = []
        let status: TurnRow['status'] = turn.status
        for (const { seq, type, ...fields } of given) {
          if (seq <= last) continue
          if (status !== 'given') throw conflict('The turn is over', { code: 'turn_over' })
          if (seq !== last + 1) throw conflict(`The event ${last + 1} is missing`, { code: 'events_missing' })
          last = seq
          characters += JSON.stringify(fields).length
          news.push({ type, fields })
          if (type === 'end') status = 'completed'
          if (type === 'error') status = 'failed'
        }
        if (last >= EVENTS || characters > CHARACTERS)
          throw tooLarge(`A turn has at most ${EVENTS} events of ${CHARACTERS} characters`, {
            code: 'turn_too_large'
          })
        if (news.length > 0) {
          const isOver = status !== 'given'
          await say(trx, turn, news, isOver)
          await turnStore.update(trx, turn, {
            last,
            characters,
            status,
            ...(isOver && { endedAt: new Date().toISOString() })
          })
          if (isOver) await runtimeStore.updateUsed(trx, { project: turn.project, id: turn.runtimeId })
        }
        return { last, status }
      }),

    /** Its runtime broke the rules: the run ends with that. */
    refuse: (key: Pick<TurnRow, 'project' | 'id'>, code: string, message: string): Promise<void> =>
      transaction(async (trx) => {
        const turn = await turnStore.lock(trx, key)
        if (turn?.status === 'given') await fail(trx, turn, code, message)
      }),

    async removeOfRuns(
      trx: Trx,
      runs: readonly (readonly [project: string, runId: string])[]
    ): Promise<void> {
      for (const turn of await turnStore.listOfRuns(trx, runs)) await remove(trx, turn)
    }
  }
}
