import type { FastifyBaseLogger } from 'fastify'
import type { Execution, ExecutionRow, Executions } from '../contract/execution.ts'
import { createOrphanScan } from './orphan-scan.ts'
import type { Holder, Slots } from './slots.ts'
import { createSlots } from './slots.ts'

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

type Begun = Pick<ExecutionRow, 'project' | 'id' | 'owner'>

/** One kind of execution in this process. */
interface Kind {
  readonly slots: Slots
  readonly scan: ReturnType<typeof createOrphanScan>['scan']
  scanning: boolean
  /** It was to be scanned while it was being scanned. */
  missed: boolean
}

/** Executes durable work of packs: one instance each, and another one when that dies or hands over. */
export function createExecutions({ current, advance, instances, signals, log }: Deps) {
  const kinds = new Map<string, Kind>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let looks = 0
  let known = ''

  function kindOf(key: string): Kind {
    const found = kinds.get(key)
    if (found) return found
    const limit = () => current().get(key)?.concurrency ?? Number.POSITIVE_INFINITY
    const slots = createSlots(limit)
    const { scan } = createOrphanScan({
      execute: (id, whose) => execute(key, id, whose),
      free: slots.free,
      limit,
      stop: (id, reason) => current().get(key)?.stop(id, reason) ?? false
    })
    const kind = { slots, scan, scanning: false, missed: false }
    kinds.set(key, kind)
    return kind
  }

  async function execute(key: string, id: string, whose: Holder = {}): Promise<void> {
    const { slots } = kindOf(key)
    const found = slots.find(id)
    if (found) found.again = true
    // Over the limit it stays in the record, and is found when another one has ended.
    else if (slots.take(id, whose)) await hold(key, id)
  }

  /** In its slot, as often as it is to be executed. */
  async function hold(key: string, id: string): Promise<void> {
    const { slots } = kindOf(key)
    const slot = slots.find(id)
    try {
      do {
        if (slot) slot.again = false
        await goOn(key, id)
      } while (slot?.again)
    } finally {
      leave(key, id)
    }
  }

  function leave(key: string, id: string): void {
    if (kindOf(key).slots.leave(id)) void scan(key)
  }

  async function begin(
    key: string,
    { id, ...whose }: Begun,
    record: (isOurs: boolean) => Promise<boolean>
  ): Promise<boolean> {
    // Its slot is taken before the record says that it is executed here.
    const isOurs = instances.id() !== undefined && kindOf(key).slots.take(id, whose)
    let isRecorded = false
    try {
      isRecorded = await record(isOurs)
      return isRecorded
    } finally {
      if (isOurs && !isRecorded) leave(key, id)
      else if (isOurs) void hold(key, id)
      else if (isRecorded) void execute(key, id, whose)
    }
  }

  async function goOn(key: string, id: string): Promise<void> {
    const before = current().get(key)
    try {
      await advance(key, id)
    } catch (error) {
      // The pack is off, say: it is found in the record when it is on again.
      log.warn({ err: error, execution: id }, `an execution of ${key} stays where it is`)
    }
    // Of a pack that is off meanwhile, the version that was on leaves what it holds.
    const execution = current().get(key) ?? before
    if (execution?.held().has(id)) await execution.release(id)
  }

  /** One scan at a time of each kind: a thousand that are released at once are found by two. Never rejects. */
  async function scan(key: string): Promise<void> {
    const kind = kindOf(key)
    if (kind.scanning) {
      kind.missed = true
      return
    }
    kind.scanning = true
    try {
      do {
        kind.missed = false
        const [execution, self] = [current().get(key), instances.id()]
        if (execution && self !== undefined) await kind.scan(execution, await instances.dead(), self)
      } while (kind.missed)
    } catch (error) {
      log.debug({ err: error }, `the scan for orphans of ${key} is tried again`)
    } finally {
      kind.scanning = false
    }
  }

  /** Kinds do not wait for each other. */
  async function look(always = false): Promise<void> {
    if (looking && !always) return
    looking = true
    try {
      const dead = (await instances.dead()).join()
      if (always || dead !== known || looks++ % EVERY === 0)
        for (const key of current().keys()) void scan(key)
      known = dead
    } catch (error) {
      log.debug({ err: error }, 'the scan for orphans is tried again')
    } finally {
      looking = false
    }
  }

  const hearing = [
    signals.on(released, (key) => void scan(key as string)),
    signals.on(cancelled, (data) => {
      const [key, id, reason] = data as [string, string, string]
      current().get(key)?.stop(id, reason)
    }),
    signals.on(woken, (data) => {
      const [key, id] = data as [string, string]
      if (kindOf(key).slots.find(id)) current().get(key)?.woken?.(id)
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
        begin: (name, row, record) => begin(keyOf(name), row, record),
        cancel(name, id, reason, whose) {
          const key = keyOf(name)
          if (current().get(key)?.stop(id, reason)) return
          signals.send(cancelled, [key, id, reason])
          // If no process executes it, it is ended here.
          void execute(key, id, whose)
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
