import type { Knex } from 'knex'
import { unavailable } from '../contract/errors.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Remember } from './remembered.ts'

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
  remember: Remember
}

const CHANGED = 'points.chosen'

/** Extension points: looked up at each use, among what the packs that are on contribute. */
export function createPoints({ knex, contributions, choices, remember }: Deps) {
  const chosen = remember(CHANGED, async (place) => {
    const at = place.lastIndexOf('/')
    const [project, name] = [place.slice(0, at), place.slice(at + 1)]
    const row = await knex('kernel.choice').where({ project, point: name }).first('key')
    return (row?.key as string | undefined) ?? choices[name]
  })

  const all = (name: string) => contributions().get(name) ?? []

  async function one(name: string, project: string, key?: string): Promise<unknown> {
    const wanted = key ?? (await chosen.of(`${project}/${name}`))
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
    chosen.changed(`${project}/${name}`)
  }

  /** Forgets what projects chose at points of the pack, and those keys at points of others; how many choices. */
  async function forget(trx: Trx, pack: string, keys: readonly [point: string, key: string][]) {
    const choices: { project: string; point: string }[] = await trx('kernel.choice')
      .where((any) => any.whereLike('point', `${pack}.%`).orWhereIn(['point', 'key'], keys))
      .delete()
      .returning(['project', 'point'])
    afterCommit(trx, () => {
      for (const { project, point } of choices) chosen.changed(`${project}/${point}`)
    })
    return choices.length
  }

  return { all, one, choose, forget }
}
export type Points = ReturnType<typeof createPoints>
