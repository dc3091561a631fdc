import type { Facts, Kernel, Principal, Trx } from 'agent-platform'
import type { Program, ProgramEnd } from '../../computers/contract.ts'
import type { RuntimeSettings } from '../settings.ts'
import type { ProcessRow, ProcessStore } from '../stores/processes.ts'
import type { RuntimeRow, RuntimeStore } from '../stores/runtimes.ts'
import type { TurnStore } from '../stores/turns.ts'
import type { Turns } from './turns.ts'
import { PATIENT_FAILURES } from './turns.ts'

export type Ending = ReturnType<typeof createEnding>

/** Why a process is ended from here. */
export type StopReason = 'asleep' | 'replaced' | 'restarted' | 'removed' | 'not_ready' | 'silent'
/** Why one ended that was not asked to: its computer is another instance's, it was refused, its instance died. */
export type How = 'elsewhere' | 'refused' | 'instance_lost'

/** A process that this instance runs. */
export interface Slot {
  readonly row: ProcessRow
  readonly secrets: readonly string[]
  program?: Program
  stopping?: StopReason
}

const LONGEST_PAUSE_MS = 300_000

interface Deps extends Pick<Kernel, 'streams' | 'principals' | 'facts'> {
  settings: RuntimeSettings
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
  turns: Turns
}

export const serves = ({ state }: ProcessRow): boolean => state === 'starting' || state === 'ready'

/** What becomes of a runtime, and of what it was asked, when a process of it ends. */
export function createEnding(deps: Deps) {
  const { streams, principals, facts, settings, runtimeStore, processStore, turnStore, turns } = deps

  async function tell(
    trx: Trx,
    name: Extract<keyof Facts & string, `runtimes.${string}`>,
    row: RuntimeRow,
    by?: Principal
  ) {
    const actor = by ?? (await principals.of(row.project, row.owner))
    const { id, agentId, observed, deployment, reason } = row
    if (actor)
      await facts.record(trx, name, actor, {
        subject: agentId,
        owner: row.owner,
        data: { id, agentId, observed, deployment, reason } as never
      })
  }

  /** The credentials of the process, and in how many milliseconds another one is to be started, if one is. */
  async function settle(
    trx: Trx,
    { project, agentId, id }: ProcessRow,
    end: ProgramEnd,
    slot: Slot | undefined,
    how: How | undefined
  ) {
    const runtime = await runtimeStore.lock(trx, { project, agentId })
    const process = await processStore.lock(trx, { project, id })
    if (!runtime || !process || process.state === 'ended') return undefined
    const output = redacted(slot?.program?.output() ?? '', slot?.secrets ?? [])
    const why = slot?.stopping ?? how
    const reason = why === 'refused' || why === undefined ? describe(end, output) : why
    const { exitCode, signal } = end
    const now = new Date().toISOString()
    await processStore.update(trx, process, {
      state: 'ended',
      endedAt: now,
      exitCode,
      signal,
      reason,
      output
    })
    await streams.remove(trx, project, id)
    const isRested = why === 'asleep' || why === 'removed'
    for (const turn of await turnStore.lockOpen(trx, runtime, isRested ? undefined : id)) {
      if (turn.last >= 0 || isRested)
        await turns.fail(
          trx,
          turn,
          isRested ? 'runtime_stopped' : 'runtime_lost',
          `The runtime ended: ${reason}`
        )
      else await turnStore.update(trx, turn, { status: 'queued', processId: null })
    }
    const { credentials } = process
    const others = (await processStore.listLive(trx, runtime)).filter((it) => it.id !== id && serves(it))
    if (process.state === 'draining') return { credentials }
    const isServed = others.some(({ state }) => state === 'ready')
    const isMeant = isRested || why === 'replaced' || why === 'restarted'
    if (isMeant || why === 'elsewhere' || why === 'instance_lost') {
      const isAsleep = isRested && others.length === 0
      if (isAsleep || !isMeant) {
        const row = await runtimeStore.update(trx, runtime, {
          observed: isAsleep ? 'asleep' : isServed ? 'awake' : 'starting',
          ...(isAsleep && { reason: null, restartAt: null, failures: 0 })
        })
        if (isAsleep) await tell(trx, 'runtimes.suspended', row)
      }
      return { credentials, ...(!isMeant && { wait: why === 'elsewhere' ? 1_000 : 0 }) }
    }
    // What never was ready does not take the place of what was.
    if (process.deployment > runtime.deployment && runtime.deployed !== null) {
      const failed = `Deployment ${process.deployment} failed: ${reason}`
      const observed = isServed ? 'awake' : 'asleep'
      const row = await runtimeStore.update(trx, runtime, {
        candidate: null,
        reason: failed,
        observed,
        ...(!isServed && runtime.desired === 'awake' && { desired: 'asleep' as const })
      })
      await tell(trx, 'runtimes.failed', row)
      return {
        credentials,
        ...(!isServed && (await turnStore.lockQueued(trx, runtime)).length > 0 && { wait: 0 })
      }
    }
    const failures = runtime.failures + 1
    const pause = Math.min(settings.backoffSeconds * 1_000 * 2 ** (failures - 1), LONGEST_PAUSE_MS)
    const row = await runtimeStore.update(trx, runtime, {
      observed: 'failed',
      reason,
      failures,
      restartAt: new Date(Date.now() + pause).toISOString()
    })
    await tell(trx, 'runtimes.failed', row)
    if (failures >= PATIENT_FAILURES || why === 'refused')
      for (const turn of await turnStore.lockQueued(trx, runtime))
        await turns.fail(trx, turn, 'runtime_failed', `The runtime does not run: ${reason}`)
    return { credentials, wait: pause }
  }

  return { tell, settle }
}

/** In words, with the last line that it wrote. */
function describe({ exitCode, signal, reason }: ProgramEnd, output: string): string {
  // Node.js ends what it says of an error with its version.
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Node.js v'))
  const last = (lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim()
  const how = reason ?? (signal === null ? `exited with ${exitCode}` : `ended by ${signal}`)
  return (last === '' || reason?.includes(last) ? how : `${how}: ${last}`).slice(0, 500)
}

export const redacted = (output: string, secrets: readonly string[]): string =>
  secrets
    .filter(({ length }) => length >= 4)
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), output)
