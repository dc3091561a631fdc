import type { FastifyBaseLogger } from 'fastify'
import type { Execution, Executions } from '../contract/execution.ts'
import { createOrphanScan } from './orphan-scan.ts'

/** Milliseconds between two looks for instances that died. */
const LOOK_MS = 250
/** So many looks, and the record is scanned whatever they showed. */
const EVERY = 8

const released = 'executions.released'
const cancelled = 'executions.cancelled'
const woken = 'executions.woken'

interface Deps {
  /** By `<pack>/<name>`, in the generation then current. */
  current(): ReadonlyMap<string, Execution>
  /** Takes one forward a step at a time, each in the generation then current. */
  advance(key: string, id: string): Promise<'done' | 'handed over'>
  readonly instances: { id(): number | undefined; dead(): Promise<readonly number[]> }
  readonly signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
  }
  readonly log: FastifyBaseLogger
}

/** One kind of execution in this process. */
interface Kind {
  readonly executing: Set<string>
  readonly scan: ReturnType<typeof createOrphanScan>['scan']
}

/** Executes durable work of packs: one instance each, and another one when that dies or hands over. */
export function createExecutions({ current, advance, instances, signals, log }: Deps) {
  const kinds = new Map<string, Kind>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let missed = false
  let looks = 0
  let known = ''

  function kindOf(key: string): Kind {
    const found = kinds.get(key)
    if (found) return found
    const executing = new Set<string>()
    const { scan } = createOrphanScan({
      execute: (id) => execute(key, id),
      free: () => room(key, executing),
      stop: (id, reason) => current().get(key)?.stop(id, reason) ?? false
    })
    const kind = { executing, scan }
    kinds.set(key, kind)
    return kind
  }

  const room = (key: string, executing: ReadonlySet<string>) =>
    (current().get(key)?.concurrency ?? Number.POSITIVE_INFINITY) - executing.size

  async function execute(key: string, id: string): Promise<void> {
    const { executing } = kindOf(key)
    // Over the limit it stays in the record, and is found when another one has ended.
    if (executing.has(id) || room(key, executing) <= 0) return
    executing.add(id)
    const isFull = room(key, executing) <= 0
    try {
      await advance(key, id)
    } catch (error) {
      // The pack is off, say: it is found in the record when it is on again.
      log.warn({ err: error, execution: id }, `an execution of ${key} stays where it is`)
    }
    const execution = current().get(key)
    if (execution?.held().includes(id)) await execution.release(id)
    executing.delete(id)
    if (isFull) void scanOne(key)
  }

  async function scanOne(key: string): Promise<void> {
    const [execution, self] = [current().get(key), instances.id()]
    if (!execution || self === undefined) return
    try {
      await kindOf(key).scan(execution, await instances.dead(), self)
    } catch (error) {
      log.debug({ err: error }, `the scan for orphans of ${key} is tried again`)
    }
  }

  async function look(always = false): Promise<void> {
    if (looking) {
      missed ||= always
      return
    }
    looking = true
    try {
      const dead = (await instances.dead()).join()
      if (always || dead !== known || looks++ % EVERY === 0)
        for (const key of current().keys()) await scanOne(key)
      known = dead
    } catch (error) {
      log.debug({ err: error }, 'the scan for orphans is tried again')
    } finally {
      looking = false
      if (missed) {
        missed = false
        void look(true)
      }
    }
  }

  const hearing = [
    signals.on(released, (key) => void scanOne(key as string)),
    signals.on(cancelled, (data) => {
      const [key, id, reason] = data as [string, string, string]
      current().get(key)?.stop(id, reason)
    }),
    signals.on(woken, (data) => {
      const [key, id] = data as [string, string]
      if (kindOf(key).executing.has(id)) current().get(key)?.woken?.(id)
    })
  ]

  return {
    /** After the swap of a generation: from now on what is left in the record is gone on with. */
    begin(): void {
      timer ??= setInterval(() => void look(), LOOK_MS).unref()
      void look(true)
    },
    of(pack: string): Executions {
      const keyOf = (name: string) => `${pack}/${name}`
      return {
        execute: (name, id) => execute(keyOf(name), id),
        cancel(name, id, reason) {
          const key = keyOf(name)
          if (current().get(key)?.stop(id, reason)) return
          signals.send(cancelled, [key, id, reason])
          // If no process executes it, it is ended here.
          void execute(key, id)
        },
        wake(name, id) {
          const key = keyOf(name)
          signals.send(woken, [key, id])
          void execute(key, id)
        },
        released: (name) => signals.send(released, keyOf(name))
      }
    },
    close(): void {
      clearInterval(timer)
      for (const one of hearing) one[Symbol.dispose]()
    }
  }
}
