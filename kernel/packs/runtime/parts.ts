import type { Execution } from '../../contract/execution.ts'
import type { Trx } from '../../database/transaction.ts'
import type { Fact } from '../../events/fact.ts'
import type { Listener } from '../../events/facts-delivery.ts'
import type { Contributed } from '../../events/points.ts'
import { inOrder } from '../../events/points.ts'
import type { MountedRoute } from '../../http/routes.ts'
import type { Loaded } from '../loader/loader.ts'
import type { Cascades } from './cascades.ts'
import { CASCADE } from './cascades.ts'
import type { Dependencies } from './containers.ts'
import type { InFlight } from './in-flight.ts'

/** A pack as it goes into a generation. */
export interface Mountable {
  readonly loaded: Loaded
  readonly settings: Readonly<Record<string, unknown>>
  /** The schemas of its routes, as this version was mounted before, here or by another instance. */
  compiles: boolean
}
export interface Mounted extends Mountable {
  readonly deps: Dependencies
  readonly routes: MountedRoute[]
}

/** Owner of the kernel's own points: a name that no pack may have. */
const KERNEL = 'platform'

type Handler = (facts: readonly Fact[], trx: Trx) => Promise<void>
const both =
  (first: Handler | undefined, second: Handler): Handler =>
  async (facts, trx) => {
    await first?.(facts, trx)
    await second(facts, trx)
  }
const oneByOne =
  (handle: (fact: Fact, trx: Trx) => Promise<void>): Handler =>
  async (facts, trx) => {
    for (const fact of facts) await handle(fact, trx)
  }

export type Step = (id: string, handOver: AbortSignal) => Promise<'again' | 'done'>

/** What the packs of a generation give beside routes, found there at each use. */
export function createParts(
  packs: ReadonlyMap<string, unknown>,
  inFlight: InFlight,
  cascadeOf: Cascades['of']
) {
  const points = new Map<string, Contributed[]>()
  const listeners = new Map<string, Listener>()
  const steps = new Map<string, Step>()
  const executions = new Map<string, Execution>()

  function add({ loaded: { name: pack, manifest }, deps }: Mounted): void {
    for (const [point, given] of Object.entries(manifest.contributes ?? {})) {
      const owner = point.slice(0, point.indexOf('.'))
      if (owner !== KERNEL && !packs.has(owner)) continue
      const all = points.get(point) ?? []
      points.set(point, all)
      for (const { key, order = 0, make } of given)
        all.push({ pack, order, value: make(deps), ...(key !== undefined && { key }) })
    }
    for (const [name, make] of Object.entries(manifest.steps ?? {})) steps.set(`${pack}/${name}`, make(deps))
    for (const [name, make] of Object.entries(manifest.executions ?? {})) {
      const execution = make(deps)
      executions.set(`${pack}/${name}`, execution)
      steps.set(`${pack}/${name}`, (id, handOver) => execution.step(id, handOver))
    }
    const on = new Map<string, Handler>()
    const batches = new Map<string, string>()
    for (const [name, made] of Object.entries(manifest.on ?? {}))
      if (typeof made === 'function') on.set(name, oneByOne(made(deps)))
      else on.set(name, made.batch(deps)) && batches.set(name, name)
    if (manifest.cascade) {
      const cascade = cascadeOf(pack, manifest, deps)
      steps.set(`${pack}/${CASCADE}`, cascade.step)
      for (const [name, note] of cascade.on) on.set(name, both(on.get(name), oneByOne(note)))
    }
    for (const name of batches.keys())
      batches.set(name, [...batches.keys()].find((first) => on.get(first) === on.get(name)) ?? name)
    if (on.size > 0) listeners.set(pack, listener(on, batches))
  }

  function listener(handlers: ReadonlyMap<string, Handler>, batches: Listener['batches']): Listener {
    return {
      names: new Set(handlers.keys()),
      batches,
      async handle(name, facts, trx) {
        inFlight.enter()
        try {
          await handlers.get(name)?.(facts, trx)
        } finally {
          inFlight.leave()
        }
      }
    }
  }

  return {
    add,
    made: () => ({
      contributions: new Map([...points].map(([point, given]) => [point, inOrder(given)])),
      listeners,
      steps,
      executions
    })
  }
}
