import type { Knex } from 'knex'
import { newId } from '../../contract/ids.ts'
import { paginate } from '../../contract/paging.ts'
import type { Paging } from '../../contract/schemas.ts'

/** Milliseconds; null where nothing was answered. */
export interface Latency {
  readonly requests: number
  readonly p50: number | null
  readonly p99: number | null
}

/** What a change of packs did, kept for operators. */
export interface ChangeRecord {
  readonly id: string
  readonly at: string
  /** Principal that asked, or `platform` for what an instance did by itself. */
  readonly actor: string
  readonly instance: number | null
  readonly pack: string
  readonly action: 'enabled' | 'disabled' | 'configured' | 'reloaded' | 'installed' | 'upgraded' | 'removed'
  readonly outcome: 'applied' | 'refused'
  readonly reason: string | null
  readonly fromDigest: string | null
  readonly toDigest: string | null
  /** Applied for it; of `removed`, taken away with the data. */
  readonly migrations: string[]
  readonly buildMs: number | null
  /** Requests of the generation before that ended by themselves, and that did not in time. */
  readonly drained: number | null
  readonly dropped: number | null
  readonly before: Latency | null
  readonly after: Latency | null
}

type Asked = Pick<ChangeRecord, 'actor' | 'pack' | 'action' | 'fromDigest' | 'toDigest'>
type Applied = Pick<ChangeRecord, 'migrations' | 'buildMs' | 'before'>
/** Refused where there is a reason. */
export type NewChange = Asked & Partial<Applied> & { readonly reason?: string }

export function createChangeRecords(knex: Knex, instance: () => number | undefined) {
  return {
    async insert(on: Knex | Knex.Transaction, { migrations = [], ...change }: NewChange): Promise<string> {
      const id = newId('change')
      const outcome: ChangeRecord['outcome'] = change.reason === undefined ? 'applied' : 'refused'
      const row = { ...change, id, instance: instance(), outcome, migrations: JSON.stringify(migrations) }
      await on('kernel.pack_change').insert(row)
      return id
    },

    complete: (ids: readonly string[], result: Pick<ChangeRecord, 'drained' | 'dropped' | 'after'>) =>
      knex('kernel.pack_change')
        .whereIn('id', [...ids])
        .update(result),

    list: (page: Paging, pack?: string) =>
      paginate<ChangeRecord>(
        knex('kernel.pack_change').modify((query) => pack !== undefined && query.where({ pack })),
        page,
        'change'
      )
  }
}
export type ChangeRecords = ReturnType<typeof createChangeRecords>
