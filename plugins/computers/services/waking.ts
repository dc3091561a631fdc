import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, unavailable } from 'agent-platform'
import { createDoor } from '../provider/door.ts'
import { createEgress } from '../provider/egress.ts'
import type { Ending, Machine } from '../provider/machine.ts'
import type { ComputerSettings } from '../settings.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'
import type { Holding } from './holding.ts'
import type { Providers } from './providers.ts'
import type { Refusals } from './refusals.ts'
import type { Sleeping } from './sleeping.ts'
import { elsewhere, PATIENCE_MS, POLL_MS } from './sleeping.ts'
import type { Transitions } from './transitions.ts'

export type Waking = ReturnType<typeof createWaking>

interface Deps extends Pick<Kernel, 'instances' | 'transaction' | 'log' | 'platform'> {
  settings: ComputerSettings
  holding: Holding
  sleeping: Sleeping
  providers: Providers
  computerStore: ComputerStore
  transitions: Transitions
  refusals: Refusals
}

/** Wakes computers when something needs them; one instance at a time has one. */
export function createWaking(deps: Deps) {
  const { instances, transaction, log, platform, settings, holding, sleeping, providers } = deps
  const { computerStore, transitions, refusals } = deps

  /** The computer, awake, and this instance's: woken where it is not. 409 where it is off. */
  function wake(row: ComputerRow, by?: Principal): Promise<Machine> {
    const slots = holding.slots()
    const known = slots.get(row.id)
    if (known) {
      known.row = { ...known.row, allowedHosts: row.allowedHosts, idleSeconds: row.idleSeconds }
      return known.machine
    }
    if (!row.enabled) throw conflict('The computer is off: enable it first', { code: 'computer_off' })
    const machine = start(row, by)
    slots.set(row.id, { machine, row })
    machine.catch(() => slots.delete(row.id))
    return machine
  }

  async function start(row: ComputerRow, by?: Principal): Promise<Machine> {
    const provider = await providers.usable(row.provider)
    providers.check(row.provider, row)
    await makeRoom(row)
    const claimed = await claim(row)
    const { id, number, image, vcpu, memoryMb, storageMb, gpu } = claimed
    const slot = holding.slots().get(id)
    try {
      const door = createDoor({
        isOpen: () => holding.doors().has(id),
        platform: platform.accept,
        from: `computer-${number}`
      })
      const egress = createEgress({
        door,
        outgoing: { lookup: (host, port) => holding.outgoing().lookup(host, port) },
        allowed: () => holding.slots().get(id)?.row.allowedHosts ?? [],
        refused: (host) => void refusals.note(id, host)
      })
      const order = { number, hostname: `computer-${number}`, image, egress, vcpu, memoryMb, storageMb, gpu }
      const machine = await provider.start(order)
      const wokeAt = new Date().toISOString()
      const told = { by, fact: 'computers.woken' } as const
      const awake = await transitions.enter(claimed, { state: 'awake', wokeAt }, told)
      if (slot) Object.assign(slot, { row: awake, running: machine })
      void machine.ended.then((ending) => ended(id, awake, ending))
      return machine
    } catch (error) {
      const reason = (error as Error).message.slice(0, 200)
      const told = { by, fact: 'computers.failed' } as const
      await transitions.enter(claimed, { state: 'failed', reason, instance: null }, told)
      log.warn({ err: error, computer: id }, 'A computer did not wake')
      throw unavailable(`The computer did not wake: ${reason}`, { code: 'computer_failed' })
    }
  }

  /** Not more are awake here, and of one owner, than may be: the one that rests longest sleeps for another. */
  async function makeRoom({ owner, project }: ComputerRow): Promise<void> {
    const others = [...holding.slots().values()].filter(({ running }) => running)
    const own = others.filter(({ row }) => row.owner === owner && row.project === project)
    const caps = [
      [own, settings.awakePerOwner],
      [others, settings.awake]
    ] as const
    for (const [those, most] of caps) {
      if (those.length < most) continue
      const idle = those.filter(({ running }) => running?.busy === 0)
      const [rested] = idle.sort((a, b) => (a.running?.usedAt ?? 0) - (b.running?.usedAt ?? 0))
      if (!rested)
        throw unavailable(`${most} computers are at work`, {
          code: 'computers_busy',
          headers: { 'retry-after': '10' }
        })
      await sleeping.sleep(rested.row)
    }
  }

  async function claim(row: ComputerRow): Promise<ComputerRow> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const self = instances.id()
      if (self === undefined)
        throw unavailable('The instance is not registered', { headers: { 'retry-after': '1' } })
      const dead = await instances.dead()
      const claimed = await transaction(async (trx) => {
        const mine = await computerStore.takeFree(trx, row, self, dead)
        if (mine) await transitions.note(trx, mine, 'waking')
        return mine
      })
      if (claimed) return claimed
      if (Date.now() > until) throw elsewhere()
      sleeping.askFor(row)
      await delay(POLL_MS)
    }
  }

  /** It has ended: because it was asked to, or by itself. */
  async function ended(id: string, row: ComputerRow, ending: Ending): Promise<void> {
    holding.slots().delete(id)
    if (ending === 'asked') return
    const reason = ending === 'lost' ? 'computer_lost' : ending
    try {
      const storageBytes = await sleeping.measured(row)
      const rest = { state: 'asleep', desired: 'asleep', reason, instance: null, storageBytes } as const
      await transitions.enter(row, rest, { fact: 'computers.suspended' })
    } catch (error) {
      log.warn({ err: error, computer: id }, 'What became of a computer could not be written down')
    }
  }

  return { wake }
}
