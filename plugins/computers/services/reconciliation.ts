import type { Kernel } from 'agent-platform'
import type { ComputerSettings } from '../settings.ts'
import type { CommandStore } from '../stores/commands.ts'
import type { ComputerStore } from '../stores/computers.ts'
import type { Holding } from './holding.ts'
import type { Performing } from './performing.ts'
import { commandField, shownOf } from './performing.ts'
import type { Providers } from './providers.ts'
import type { Sleeping } from './sleeping.ts'
import type { Transitions } from './transitions.ts'

const BATCH = 1_000

interface Deps extends Pick<Kernel, 'instances' | 'streams' | 'log'> {
  settings: ComputerSettings
  holding: Holding
  sleeping: Sleeping
  transitions: Transitions
  computerStore: ComputerStore
  commandStore: CommandStore
  performing: Performing
  providers: Providers
}

/** Brings the record and what is there together: a computer ends with the process that held it, whatever the record says. */
export function createReconciliation(deps: Deps) {
  const {
    instances,
    streams,
    log,
    settings,
    holding,
    sleeping,
    transitions,
    computerStore,
    commandStore,
    performing,
    providers
  } = deps

  async function reconcile(): Promise<void> {
    const dead = await instances.dead()
    const self = instances.id()
    const held = await computerStore.listHeld(self === undefined ? dead : [...dead, self])
    await each(held, async (row) => {
      // This instance was taken for dead, and another may have it by now.
      if (holding.slots().has(row.id) && row.instance !== self) await sleeping.abandon(row.id)
      if (holding.slots().has(row.id)) return
      const lost = { state: row.enabled ? 'asleep' : 'off', reason: 'computer_lost', instance: null } as const
      await transitions.enter(row, { ...lost, desired: lost.state }, { fact: 'computers.suspended' })
    })
    await each(await commandStore.listRunning({ instances: dead }), async (row) => {
      const ended = await performing.finish(row, { status: 'failed', reason: 'computer_lost' })
      const first = { type: 'lost', fields: {} }
      const writer = await streams.claim(row.project, row.id, commandField, first)
      await writer?.end('ended', { command: shownOf(ended) })
    })
  }

  /** One row that fails does not stop the others; the next reconciliation tries it again. */
  async function each<T extends { readonly id: string }>(
    rows: readonly T[],
    work: (row: T) => Promise<void>
  ) {
    for (const row of rows)
      await work(row).catch((err) => log.warn({ err, id: row.id }, 'a row could not be reconciled'))
  }

  /** What dead instances left running, where it does not end with them. */
  const removeLeft = () =>
    providers.removeLeft(async () => computerStore.findNumbersHeld(await instances.dead()))

  async function removeOld(): Promise<void> {
    for (const name of ['event', 'command', 'request', 'ticket'] as const)
      while ((await computerStore.removeOld(name, settings.commandDays, BATCH)) === BATCH);
  }

  return {
    worker: {
      async work(): Promise<void> {
        await reconcile()
        await removeLeft()
      },
      cron: '* * * * *',
      retries: 0
    },
    cleanUp: { work: removeOld, cron: '41 3 * * *' },
    /** After a start: what the process before has left. */
    async begin(): Promise<void> {
      await reconcile().catch((error) => log.warn({ err: error }, 'Computers could not be looked at'))
      // A daemon that hangs keeps nobody from starting.
      void removeLeft()
    }
  }
}
