import type { Kernel, RemoveSome, Trx } from 'agent-platform'
import type { Place } from './data-store.ts'

export type PlacementStore = ReturnType<typeof createPlacementStore>
export type Provider = 'platform' | 'postgresql' | 'mongodb'

/** Where the data of an app lies; without a row, in the platform's own store. */
export interface Placement extends Place {
  readonly owner: string
  readonly provider: Provider
  /** Sealed: `{ url, ca? }`. Null for the platform's own. */
  readonly connection: string | null
  /** As people are shown it. */
  readonly host: string | null
  /** Where it moves to; null while it does not. */
  readonly target: Provider | null
  readonly targetConnection: string | null
  readonly targetHost: string | null
  /** Of the move. */
  readonly token: string | null
  /** Everything lies there; it cannot be called off any more. */
  readonly isSwitching: boolean
  /** Code of what ended the move before its end. */
  readonly failure: string | null
  readonly moved: number
  readonly total: number
  /** That failed, of the move. */
  readonly tries: number
  /** Counts edits, from 1. */
  readonly version: number
  readonly updatedAt: string
}

type Gone = Parameters<RemoveSome>[0]

/** What is left of an app in a store outside, until it is removed there. */
export interface Leftover extends Place {
  readonly token: string
  readonly provider: Provider
  readonly connection: string | null
  /** With what was counted of the app, so that nothing of it stays. */
  readonly whole: boolean
  readonly tries: number
}

const columns = [
  'project',
  'appId',
  'owner',
  'provider',
  'connection',
  'host',
  'target',
  'targetConnection',
  'targetHost',
  'token',
  'isSwitching',
  'failure',
  'moved',
  'total',
  'tries',
  'version',
  'updatedAt'
] as const

export function createPlacementStore({ knex }: Pick<Kernel, 'knex'>) {
  const placements = (on: Kernel['knex'] | Trx, { project, appId }: Place) =>
    on<Placement>('app_storage.placement').where({ project, appId })
  const leftovers = (on: Kernel['knex'] | Trx, { project, appId, token }: Place & { token: string }) =>
    on<Leftover>('app_storage.leftover').where({ project, appId, token })

  return {
    find: async (place: Place, trx?: Trx): Promise<Placement | undefined> =>
      (await placements(trx ?? knex, place).first(...columns)) as Placement | undefined,

    /** The row as it stays until the transaction ends; made where there is none. */
    async lock(trx: Trx, { project, appId, owner }: Place & { owner: string }): Promise<Placement> {
      await trx('app_storage.placement')
        .insert({ project, appId, owner, provider: 'platform' })
        .onConflict()
        .ignore()
      return (await placements(trx, { project, appId })
        .forUpdate()
        .first(...columns)) as Placement
    },

    async update(trx: Trx, place: Place, changes: Partial<Placement>): Promise<Placement> {
      const [row] = await placements(trx, place)
        .update(changes as never)
        .returning([...columns])
      return row as Placement
    },

    /** How far it is, and whether it is still that move. */
    async updateMove(place: Place, token: string, changes: Partial<Placement>, trx?: Trx): Promise<boolean> {
      return (
        (await placements(trx ?? knex, place)
          .where({ token })
          .update(changes as never)) === 1
      )
    },

    remove: async (trx: Trx, place: Place): Promise<Placement | undefined> => {
      const [row] = await placements(trx, place)
        .delete()
        .returning([...columns])
      return row as Placement | undefined
    },

    /** Of an app that is gone, in the platform's own store. */
    removeItems: async ({ project, id }: Gone, trx: Trx, limit: number): Promise<number> => {
      const place = { project, appId: id }
      const key = ['collection', 'holder', 'key']
      const some = trx('app_storage.item').where(place).limit(limit).select(key)
      return trx('app_storage.item').where(place).whereIn(key, some).delete()
    },
    removeUsage: ({ project, id }: Gone, trx: Trx): Promise<number> =>
      trx('app_storage.usage').where({ project, appId: id }).delete(),

    insertLeftover: async (trx: Trx, leftover: Omit<Leftover, 'tries'>) => {
      await trx('app_storage.leftover').insert(leftover).onConflict().ignore()
    },
    findLeftover: (key: Place & { token: string }): Promise<Leftover | undefined> =>
      leftovers(knex, key).first('project', 'appId', 'token', 'provider', 'connection', 'whole', 'tries'),
    updateLeftover: async (key: Place & { token: string }, tries: number) => {
      await leftovers(knex, key).update({ tries } as never)
    },
    removeLeftover: async (key: Place & { token: string }) => {
      await leftovers(knex, key).delete()
    }
  }
}
