import type { Trx } from '../data/transaction.ts'
import type { Fact } from '../events/fact.ts'
import type { Listener } from '../events/facts-delivery.ts'
import type { Contributed } from '../events/points.ts'
import { inOrder } from '../events/points.ts'
import type { Dependencies } from './containers.ts'
import type { InFlight } from './in-flight.ts'
import type { Loaded } from './loader.ts'
import type { MountedRoute } from './routes.ts'

/** A pack as it goes into a generation. */
export interface Mountable {
  readonly loaded: Loaded
  readonly settings: Readonly<Record<string, unknown>>
}
export interface Mounted extends Mountable {
  readonly deps: Dependencies
  readonly routes: MountedRoute[]
}

/** Owner of the kernel's own points: a name that no pack may have. */
const KERNEL = 'platform'

export type Step = (id: string, handOver: AbortSignal) => Promise<'again' | 'done'>

/** What the packs of a generation give beside routes, found there at each use. */
export function createParts(packs: ReadonlyMap<string, unknown>, inFlight: InFlight) {
  const points = new Map<string, Contributed[]>()
  const listeners = new Map<string, Listener>()
  const steps = new Map<string, Step>()

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
    const on = Object.entries(manifest.on ?? {})
    if (on.length > 0) listeners.set(pack, listener(new Map(on.map(([name, make]) => [name, make(deps)]))))
  }

  function listener(handlers: ReadonlyMap<string, (fact: Fact, trx: Trx) => Promise<void>>): Listener {
    return {
      names: new Set(handlers.keys()),
      async handle(fact, trx) {
        inFlight.enter()
        try {
          await handlers.get(fact.name)?.(fact, trx)
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
      steps
    })
  }
}
