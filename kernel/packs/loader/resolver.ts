import type { Manifest } from './manifest.ts'

type Dependencies = ReadonlyMap<string, Pick<Manifest, 'requires' | 'uses'>>

export interface Resolution {
  /** Names of the packs that can be on, each after all that it requires or uses; ties by name. */
  readonly order: readonly string[]
  /** Why each of the others cannot. */
  readonly refused: ReadonlyMap<string, string>
}

/**
 * Puts packs in the order in which they are built. Refused are packs whose requirement is not there or is
 * itself refused, and packs that lie on a cycle; those that merely use a refused pack do without it.
 */
export function resolve(packs: Dependencies): Resolution {
  const left = new Map([...packs].sort(([a], [b]) => (a < b ? -1 : 1)))
  const refused = new Map<string, string>()
  const order: string[] = []

  const refuse = (name: string, reason: string) => {
    refused.set(name, reason)
    left.delete(name)
  }

  /** Packs that require what is not there, and then those that require them, and so on. */
  function refuseUnmet() {
    for (let before = -1; before !== refused.size; ) {
      before = refused.size
      for (const [name, { requires = [] }] of left) {
        const missing = requires.find((other) => !left.has(other))
        if (missing !== undefined)
          refuse(name, `requires ${missing}, which is ${packs.has(missing) ? 'refused itself' : 'not there'}`)
      }
    }
  }

  /** What the pack still waits for. */
  function ahead(name: string): readonly string[] {
    const { requires = [], uses = [] } = left.get(name) ?? {}
    return [...requires, ...uses].filter((other) => left.has(other) && !order.includes(other))
  }

  /** Follows what each waits for until it comes back to where it was. */
  function refuseCycle(start: string) {
    const way = [start]
    for (;;) {
      const next = ahead(way.at(-1) as string)[0] as string
      const from = way.indexOf(next)
      if (from < 0) way.push(next)
      else {
        const cycle = way.slice(from)
        for (const [at, name] of cycle.entries())
          refuse(name, `lies on a cycle: ${[...cycle.slice(at), ...cycle.slice(0, at), name].join(' → ')}`)
        return
      }
    }
  }

  refuseUnmet()
  while (order.length < left.size) {
    const waiting = [...left.keys()].filter((name) => !order.includes(name))
    const next = waiting.find((name) => ahead(name).length === 0)
    if (next !== undefined) order.push(next)
    else {
      refuseCycle(waiting[0] as string)
      refuseUnmet()
      order.length = 0
    }
  }
  return { order, refused }
}
