import type { Knex } from 'knex'
import { unavailable } from '../errors.ts'

export interface Contributed {
  readonly pack: string
  readonly key?: string
  readonly order: number
  readonly value: unknown
}

/** Contributions to all points of one generation, in the order in which they are asked for. */
export type Contributions = ReadonlyMap<string, readonly Contributed[]>

/** By `order`, then by pack and key, so that nothing depends on the order of loading. */
export function inOrder(contributions: readonly Contributed[]): readonly Contributed[] {
  const names = ({ pack, key = '' }: Contributed) => `${pack}\0${key}`
  return [...contributions].sort((a, b) => a.order - b.order || (names(a) < names(b) ? -1 : 1))
}

interface Deps {
  knex: Knex
  /** Of the generation that is current now. */
  contributions(): Contributions
  /** The deployment's choice by point. */
  choices: Readonly<Record<string, string>>
  signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
    readonly connected: boolean
  }
}

const CHANGED = 'points.chosen'
const NONE: readonly Contributed[] = []

/** Extension points: looked up at each use, among what the packs that are on contribute. */
export function createPoints({ knex, contributions, choices, signals }: Deps) {
  const chosen = new Map<string, Promise<string | undefined>>()
  const hearing = signals.on(CHANGED, (place) => void chosen.delete(String(place)))

  const all = (name: string) => contributions().get(name) ?? NONE

  async function choice(name: string, project: string): Promise<string | undefined> {
    const place = `${project}/${name}`
    let key = signals.connected ? chosen.get(place) : undefined
    if (!key) {
      key = knex('kernel.choice')
        .where({ project, point: name })
        .first('key')
        .then((row: { key: string } | undefined) => row?.key ?? choices[name])
      chosen.set(place, key)
      if (chosen.size > 10_000) chosen.delete(chosen.keys().next().value as string)
      key.catch(() => chosen.delete(place))
    }
    return key
  }

  async function one(name: string, project: string, key?: string): Promise<unknown> {
    const wanted = key ?? (await choice(name, project))
    const found = wanted === undefined ? all(name)[0] : all(name).find((one) => one.key === wanted)
    if (found) return found.value
    throw unavailable(`Nothing serves ${name}${wanted === undefined ? '' : ` as ${wanted}`}`, {
      code: 'capability_missing'
    })
  }

  async function choose(name: string, project: string, key: string | undefined): Promise<void> {
    if (key === undefined) await knex('kernel.choice').where({ project, point: name }).delete()
    else
      await knex('kernel.choice')
        .insert({ project, point: name, key })
        .onConflict(['project', 'point'])
        .merge(['key'])
    signals.send(CHANGED, `${project}/${name}`)
  }

  return { all, one, choose, close: () => hearing[Symbol.dispose]() }
}
