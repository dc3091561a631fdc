import type { Kernel } from 'agent-platform'
import { conflict, exhausted } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Machine } from '../provider/machine.ts'
import type { Command, NewCommand } from '../schemas/commands.ts'
import type { ComputerSettings } from '../settings.ts'
import type { CommandStore } from '../stores/commands.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'
import type { Input, Performing } from './performing.ts'
import { rowOf, shownOf } from './performing.ts'
import { createPlaces } from './places.ts'
import type { Waking } from './waking.ts'

export type CommandQueue = ReturnType<typeof createCommandQueue>

const QUEUED = 200
/** Computers of one owner whose turn is awaited here; others look again later, here or on another instance. */
const WAITING = 4
const PATIENCE_MS = 1_000
const AGAIN_SECONDS = 2
/** Workers that look whose turn it is while all places are taken. */
const SPARE = 8
/** The computer is none of this instance's, or too many are at work: it is no fault of the command. */
const LATER = new Set(['computers_busy', 'computer_elsewhere'])

interface Deps extends Pick<Kernel, 'transaction' | 'instances' | 'vault'> {
  settings: ComputerSettings
  jobs: Jobs
  waking: Waking
  performing: Performing
  computerStore: ComputerStore
  commandStore: CommandStore
}

interface Key {
  readonly project: string
  readonly agentId: string
}

/** Commands that run one after the other, each computer's own, whether or not anyone waits for them. */
export function createCommandQueue(deps: Deps) {
  const { transaction, instances, vault, settings, jobs, waking, performing, computerStore, commandStore } =
    deps
  const places = createPlaces({ most: settings.queue, mostOfOwner: settings.awakePerOwner })
  const sealing = vault.at('computers.command', 'sealed')

  async function add(computer: ComputerRow, asked: NewCommand): Promise<Command> {
    const given = rowOf(computer, 'queue', asked, settings)
    if ((await commandStore.count(computer.project, computer.id)) >= QUEUED)
      throw exhausted(`${QUEUED} commands of the computer wait`, { code: 'queue_full' })
    const { env, stdin } = asked
    const sealed =
      env || stdin ? await sealing.seal(computer.project, given.id, JSON.stringify({ env, stdin })) : null
    return transaction(async (trx) => {
      const row = await commandStore.insert(trx, {
        ...given,
        status: 'queued',
        instance: null,
        startedAt: null,
        sealed
      })
      await jobs.send('computers.queue', { project: computer.project, agentId: computer.agentId }, { trx })
      return shownOf(row)
    })
  }

  /** Those of one computer, one after the other; each takes its turn among those of other owners. */
  async function work(data: object): Promise<void> {
    const key = data as Key
    for (;;) {
      const computer = await computerStore.find(key)
      const self = instances.id()
      if (!computer || self === undefined || !(await commandStore.findNext(computer.project, computer.id)))
        return
      const owner = `${computer.project}/${computer.owner}`
      const leave = places.waiting(owner) < WAITING ? await places.take(owner, PATIENCE_MS) : undefined
      if (!leave) return lookAgain(key, computer.id)
      try {
        if (!(await runNext(computer, self))) return lookAgain(key, computer.id)
      } finally {
        leave()
      }
    }
  }

  const lookAgain = (data: Key, key: string): Promise<void> =>
    jobs.send('computers.queue', data, { key, inSeconds: AGAIN_SECONDS })

  /** The one that waits longest, to its end; false where the computer cannot be had now. */
  async function runNext(computer: ComputerRow, self: number): Promise<boolean> {
    let machine: Machine | undefined
    let refused: Error | undefined
    try {
      if (!computer.enabled) throw conflict('The computer is off')
      machine = await waking.wake(computer)
    } catch (error) {
      if (LATER.has((error as { code?: string }).code ?? '')) return false
      refused = error as Error
    }
    const release = machine?.hold()
    try {
      const next = await transaction((trx) => commandStore.takeNext(trx, computer.project, computer.id, self))
      if (!next) return true
      const { row, sealed } = next
      try {
        if (!machine) throw refused
        const input: Input = sealed ? JSON.parse(await sealing.open(row.project, row.id, sealed)) : {}
        await performing.perform(machine, row, input)
      } catch (error) {
        const stderr = (error as Error).message
        await performing.finish(row, { status: 'failed', reason: 'not_started', stderr })
      }
      return true
    } finally {
      release?.()
    }
  }

  const concurrency = settings.queue + SPARE
  return { add, worker: { work, concurrency, timeoutSeconds: 86_400 } }
}
