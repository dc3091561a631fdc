import { randomBytes } from 'node:crypto'
import type { createInstallation } from '../local/installation.ts'
import type { Ending, Machine } from '../provider/machine.ts'
import { createMachine } from '../provider/machine.ts'
import type { Confinement } from './confinement.ts'
import { containerOf } from './confinement.ts'
import type { Daemon } from './daemon.ts'
import { statusOf } from './daemon.ts'
import { demultiplex } from './streams.ts'

const START_MS = 30_000
const REMOVE_MS = 20_000
const MOST_SAID = 2_000
/** Of the same name: one that was there, and what may come between its removal and the next try. */
const TRIES = 3
const [INSTALLATION, COMPUTER] = ['agent-platform.installation', 'agent-platform.computer']

/** A container of this installation. */
export interface Found {
  readonly id: string
  readonly computer: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}
interface Options {
  readonly daemon: Daemon
  /** Names all containers that are this platform's. */
  readonly installation: ReturnType<typeof createInstallation>
  readonly silenceMs?: number | undefined
}
interface Inspected {
  readonly Id: string
  readonly Config?: { readonly Labels?: Readonly<Record<string, string>> | null }
  readonly State?: { readonly Pid?: number }
}

/** Containers of this installation, one of a computer at a time, which its name sees to. */
export function createContainers({ daemon, installation, silenceMs }: Options) {
  /** Ends what runs in it; also where it has ended, is being removed, or is gone. */
  async function remove(id: string): Promise<void> {
    try {
      await daemon.ask('DELETE', `/containers/${id}`, { query: { force: '1', v: '1' }, ms: REMOVE_MS })
    } catch (error) {
      // Removed by somebody else: then it is over, or will be.
      if (![404, 409].includes(statusOf(error) ?? -1)) throw error
    }
  }

  // Number 0 is nobody's: instances may look at the same time whether any works.
  const nameOf = (own: string, number: number) =>
    `agent-platform-${own.slice(0, 16)}-${number || `probe-${randomBytes(6).toString('hex')}`}`

  async function create(number: number, confinement: Omit<Confinement, 'labels'>): Promise<string> {
    const own = await installation.take()
    const name = nameOf(own, number)
    const labels = { [INSTALLATION]: own, [COMPUTER]: String(number) }
    for (let tries = 1; ; tries++) {
      try {
        const body = containerOf({ ...confinement, labels })
        return (
          await daemon.ask<{ Id: string }>('POST', '/containers/create', {
            query: { name },
            body,
            ms: START_MS
          })
        ).Id
      } catch (error) {
        const status = statusOf(error)
        const known = status !== 404 && tries < TRIES ? await inspect(name) : undefined
        if (known?.Config?.Labels?.[INSTALLATION] !== own) throw error
        // Whoever starts a computer has it, so that this one was left by an instance that was killed.
        await remove(known.Id)
      }
    }
  }

  const inspect = async (id: string): Promise<Inspected | undefined> => {
    try {
      return await daemon.ask<Inspected>('GET', `/containers/${id}/json`)
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  async function start(number: number, confinement: Omit<Confinement, 'labels'>) {
    const id = await create(number, confinement)
    let said = ''
    let reason: Ending = 'lost'
    const { promise: ended, resolve } = Promise.withResolvers<Ending>()
    let going: Promise<void> | undefined
    const stop = (because: Ending): void => {
      if (going) return
      reason = because
      // One that could not be removed is found by its label later, and by its name when the computer is started again.
      going = remove(id)
        .catch(() => undefined)
        .then(() => resolve(reason))
    }
    try {
      const socket = await daemon.attach(id)
      const connection = demultiplex(socket, (bytes) => {
        if (said.length < MOST_SAID) said += bytes
      })
      const starting = Promise.withResolvers<never>()
      void ended.then(() => starting.reject(new Error(said.trim() || 'it ended before it was ready')))
      const timer = setTimeout(() => stop('lost'), START_MS)
      const memory = () => memoryOf(id)
      const made = createMachine({ connection, stop, ended, memory, silenceMs })
      made.catch(() => undefined)
      starting.promise.catch(() => undefined)
      try {
        await daemon.ask('POST', `/containers/${id}/start`, { ms: START_MS })
        const machine: Machine = await Promise.race([made, starting.promise])
        return { machine, pid: (await inspect(id))?.State?.Pid || undefined }
      } finally {
        clearTimeout(timer)
      }
    } catch (error) {
      stop('lost')
      await ended
      throw error
    }
  }

  /** What a container takes now; undefined where that is not told. */
  async function memoryOf(id: string): Promise<number | undefined> {
    const query = { stream: '0', 'one-shot': '1' }
    const told = await daemon
      .ask<{ memory_stats?: { usage?: number } }>('GET', `/containers/${id}/stats`, { query })
      .catch(() => undefined)
    const usage = told?.memory_stats?.usage
    return typeof usage === 'number' && Number.isFinite(usage) ? usage : undefined
  }

  return {
    start,
    remove,
    /** All that are this installation's, whether they run or not. */
    async list(): Promise<Found[]> {
      const own = await installation.find()
      if (own === undefined) return []
      const filters = JSON.stringify({ label: [`${INSTALLATION}=${own}`] })
      const listed = await daemon.ask<
        { Id: string; Created: number; Labels?: Record<string, string> | null }[]
      >('GET', '/containers/json', { query: { all: '1', filters } })
      return listed.map(({ Id, Created, Labels }) => ({
        id: Id,
        computer: Number(Labels?.[COMPUTER] ?? Number.NaN),
        createdAt: Created * 1_000
      }))
    }
  }
}
