import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Machine } from '../provider/machine.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'
import type { Holding, Slot } from './holding.ts'
import type { Providers } from './providers.ts'
import type { Transitions } from './transitions.ts'

export type Sleeping = ReturnType<typeof createSleeping>
type Asleep = 'asleep' | 'off'

const SLEEP = 'computers.sleep'
const CHANGED = 'computers.changed'
const ABANDON = 'computers.abandon'
const LOOK_MS = 1_000
/** For another instance to let go of a computer that is not at work. */
export const PATIENCE_MS = 5_000
export const POLL_MS = 100

export const elsewhere = () =>
  unavailable('Another instance has the computer at work', {
    code: 'computer_elsewhere',
    headers: { 'retry-after': '5' }
  })

interface Deps extends Pick<Kernel, 'signals' | 'instances' | 'log'> {
  holding: Holding
  providers: Providers
  computerStore: ComputerStore
  transitions: Transitions
}

/** Puts computers to sleep: when they are asked to, when nothing needs them, when another instance does. */
export function createSleeping(deps: Deps) {
  const { signals, instances, log, holding, providers, computerStore, transitions } = deps
  const stops: (() => void)[] = []

  /** Bytes that it keeps; all that it may have where they cannot be told. */
  async function measured(row: ComputerRow): Promise<number> {
    const bytes = (await providers.find(row.provider)?.measure(row.number)) ?? row.storageBytes
    return Number.isFinite(bytes) ? bytes : row.storageMb * 1_048_576
  }

  /** Ends what runs in it here; false where this instance does not hold it, or it fell into another state meanwhile. */
  async function sleep(row: ComputerRow, state: Asleep = 'asleep', by?: Principal): Promise<boolean> {
    const slot = holding.slots().get(row.id)
    const machine = await slot?.machine.catch(() => undefined)
    if (!slot || !machine) return false
    // Who asks while it is being put to sleep, as when it rested just then, waits for that; it is told of once.
    slot.falling ??= fall(slot, machine, state, by).finally(() => {
      slot.falling = undefined
    })
    return (await slot.falling) === state
  }

  async function fall(slot: Slot, machine: Machine, state: Asleep, by?: Principal): Promise<Asleep> {
    const { row } = slot
    const falling = await transitions.enter(row, { state: 'sleeping', desired: state })
    await machine.stop()
    holding.slots().delete(row.id)
    const rest = { state, desired: state, instance: null, storageBytes: await measured(row) }
    await transitions.enter(falling, rest, { by, fact: 'computers.suspended' })
    return state
  }

  /** On the instance that holds it, whichever; resolves when none does. 503 where that one does not let go in time. */
  async function sleepAnywhere(row: ComputerRow, state: Asleep, by?: Principal): Promise<void> {
    if (await sleep(row, state, by)) return
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const found = await computerStore.findById(row.id)
      const dead = await instances.dead()
      if (!found || found.instance === null || dead.includes(found.instance)) {
        if (found && found.state !== state)
          await transitions.enter(found, { state, desired: state, instance: null }, { by })
        return
      }
      if (Date.now() > until) throw elsewhere()
      signals.send(SLEEP, { id: row.id, state })
      await delay(POLL_MS)
    }
  }

  async function stopHere(id: string): Promise<void> {
    const machine = await holding
      .slots()
      .get(id)
      ?.machine.catch(() => undefined)
    await machine?.stop()
  }

  async function restIdle(): Promise<void> {
    for (const { running, row } of [...holding.slots().values()]) {
      if (!running || running.busy > 0 || Date.now() - running.usedAt < row.idleSeconds * 1_000) continue
      await sleep(row).catch((error) =>
        log.warn({ err: error, computer: row.id }, 'A computer does not sleep')
      )
    }
  }

  return {
    sleep,
    sleepAnywhere,
    measured,

    /** The instance that has it lets go, if it rests. */
    askFor: ({ id }: ComputerRow): void => signals.send(SLEEP, { id, ifIdle: true }),

    /** Every instance knows what it may reach from now on. */
    changed: ({ id, allowedHosts, idleSeconds }: ComputerRow): void =>
      signals.send(CHANGED, { id, allowedHosts, idleSeconds }),

    /** Ends it wherever it is, and says nothing of it: its agent is gone. */
    async abandon(id: string): Promise<void> {
      signals.send(ABANDON, { id })
      await stopHere(id)
    },

    /** In the version that serves. */
    begin(): void {
      const subscriptions = [
        signals.on(SLEEP, (data) => {
          const { id, ifIdle, state } = data as { id: string; ifIdle?: boolean; state?: Asleep }
          const slot = holding.slots().get(id)
          if (slot?.running && !(ifIdle && slot.running.busy > 0))
            void sleep(slot.row, state).catch(() => undefined)
        }),
        signals.on(ABANDON, (data) => void stopHere((data as { id: string }).id)),
        signals.on(CHANGED, (data) => {
          const { id, ...changes } = data as Pick<ComputerRow, 'id' | 'allowedHosts' | 'idleSeconds'>
          const slot = holding.slots().get(id)
          if (slot) slot.row = { ...slot.row, ...changes }
        })
      ]
      const timer = setInterval(() => void restIdle(), LOOK_MS).unref()
      stops.push(() => clearInterval(timer), ...subscriptions.map((it) => () => it[Symbol.dispose]()))
    },
    end: (): void => {
      for (const stop of stops.splice(0)) stop()
    }
  }
}
