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
export function resolve(loaded: Dependencies): Resolution {
  const left = new Map([...loaded].sort(([a], [b]) => (a < b ? -1 : 1)))
  const refused = new Map<string, string>()
  refuse(left, refused, unmet(left))
  refuse(left, refused, cyclic(left))
  refuse(left, refused, unmet(left, refused))
  return { order: ordered(left), refused }
}

function refuse(
  left: Map<string, unknown>,
  refused: Map<string, string>,
  reasons: ReadonlyMap<string, string>
) {
  for (const [name, reason] of reasons) {
    refused.set(name, reason)
    left.delete(name)
  }
}

/** Packs that require what is not there, and then those that require them, and so on. */
function unmet(packs: Dependencies, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const reasons = new Map<string, string>()
  for (let found = -1; found < reasons.size; ) {
    found = reasons.size
    for (const [name, { requires = [] }] of packs) {
      const missing = requires.find((other) => !packs.has(other) || reasons.has(other))
      if (missing === undefined || reasons.has(name)) continue
      const isRefused = packs.has(missing) || before.has(missing)
      reasons.set(name, `requires ${missing}, which is ${isRefused ? 'refused itself' : 'not there'}`)
    }
  }
  return reasons
}

function cyclic(packs: Dependencies): Map<string, string> {
  const reasons = new Map<string, string>()
  for (const name of packs.keys()) {
    const cycle = cycleThrough(name, packs)
    if (cycle) reasons.set(name, `lies on a cycle: ${cycle.join(' → ')}`)
  }
  return reasons
}

/** The shortest way from a pack back to itself over what packs require and use. */
function cycleThrough(start: string, packs: Dependencies): readonly string[] | undefined {
  const ways: (readonly [string, ...string[]])[] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of present(way[0], packs)) {
      if (next === start) return [start, ...way].reverse()
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([next, ...way])
    }
  }
  return undefined
}

function ordered(packs: Dependencies): readonly string[] {
  const order = new Set<string>()
  while (order.size < packs.size) {
    const next = [...packs.keys()].find(
      (name) => !order.has(name) && present(name, packs).every((other) => order.has(other))
    )
    if (next === undefined) throw new Error('A cycle was left among the packs')
    order.add(next)
  }
  return [...order]
}

function present(name: string, packs: Dependencies): readonly string[] {
  const { requires = [], uses = [] } = packs.get(name) ?? {}
  return [...requires, ...uses].filter((other) => packs.has(other))
}
