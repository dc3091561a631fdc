import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import type { Trx } from '../data/transaction.ts'
import { unavailable } from '../errors.ts'
import type { Signals } from './signals.ts'

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
  signals: Pick<Signals, 'send' | 'on' | 'connected'>
}

const CHANGED = 'points.chosen'

/** Extension points: looked up at each use, among what the packs that are on contribute. */
export function createPoints({ knex, contributions, choices, signals }: Deps) {
  const chosen = new LRUCache<string, Promise<string | undefined>>({ max: 10_000 })
  signals.on(CHANGED, (place) => void chosen.delete(String(place)))

  const all = (name: string) => contributions().get(name) ?? []

  async function choice(name: string, project: string): Promise<string | undefined> {
    const place = `${project}/${name}`
    const known = signals.connected ? chosen.get(place) : undefined
    if (known) return known
    const asked = knex('kernel.choice')
      .where({ project, point: name })
      .first('key')
      .then((row: { key: string } | undefined) => row?.key ?? choices[name])
    chosen.set(place, asked)
    asked.catch(() => chosen.delete(place))
    return asked
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
    const choice = knex('kernel.choice')
    if (key === undefined) await choice.where({ project, point: name }).delete()
    else await choice.insert({ project, point: name, key }).onConflict(['project', 'point']).merge()
    signals.send(CHANGED, `${project}/${name}`)
  }

  /** Forgets what projects chose at points of the pack, and those keys at points of others; how many choices. */
  async function forget(trx: Trx, pack: string, keys: readonly [point: string, key: string][]) {
    const choices: { project: string; point: string }[] = await trx('kernel.choice')
      .where((any) => any.whereLike('point', `${pack}.%`).orWhereIn(['point', 'key'], keys))
      .delete()
      .returning(['project', 'point'])
    trx.executionPromise.then(
      () => {
        for (const { project, point } of choices) signals.send(CHANGED, `${project}/${point}`)
      },
      () => undefined
    )
    return choices.length
  }

  return { all, one, choose, forget }
}
export type Points = ReturnType<typeof createPoints>
