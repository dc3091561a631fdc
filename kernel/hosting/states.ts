import type { Knex } from 'knex'

export type PackStatus = 'running' | 'off' | 'failed' | 'waiting for code'

/** How a pack fares on one instance. */
export interface PackState {
  readonly status: PackStatus
  readonly digest: string | null
  readonly reason: string | null
  /** The version that failed, if that is another one. */
  readonly tried?: string | null
}

export interface InstanceState extends Omit<PackState, 'tried'> {
  readonly instance: number
  readonly at: string
}

export const isOff: PackState = { status: 'off', digest: null, reason: null }
export const runs = (digest: string): PackState => ({ status: 'running', digest, reason: null })
export const waits = (digest: string, desired: string | null | undefined): PackState => ({
  status: 'waiting for code',
  digest,
  reason: `others run ${desired}`
})
/** By what was thrown: `tried` did not do, `digest` runs all the same. */
export function failed(error: unknown, digest: string | undefined, tried: string | undefined): PackState {
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return { status: 'failed', digest: digest ?? null, tried: tried ?? null, reason: reason.slice(0, 500) }
}

/** What this instance knows of its packs, and the table in which all instances say so. */
export function createStates(knex: Knex, instance: () => number | undefined) {
  const states = new Map<string, PackState>()
  return {
    get: (pack: string) => states.get(pack) ?? isOff,
    set: (pack: string, state: PackState) => void states.set(pack, state),
    entries: () => [...states],
    named: (status: PackStatus) =>
      [...states].flatMap(([name, state]) => (state.status === status ? name : [])),

    /** Replaces what this instance said. */
    async publish(): Promise<void> {
      const id = instance()
      if (id === undefined) return
      const rows = [...states].map(([pack, { status, digest, reason }]) => ({ pack, status, digest, reason }))
      await knex.raw(
        `with gone as (delete from kernel.pack_instance where instance = ? and not pack = any(?)
           or not exists (select from kernel.instance i where i.id = pack_instance.instance))
         insert into kernel.pack_instance (instance, pack, status, digest, reason)
         select ?, pack, status, digest, reason from jsonb_to_recordset(?)
           as state(pack text, status text, digest text, reason text)
         on conflict (instance, pack) do update
           set status = excluded.status, digest = excluded.digest, reason = excluded.reason, at = now()`,
        [id, rows.map(({ pack }) => pack), id, JSON.stringify(rows)]
      )
    },

    async everywhere(packs: readonly string[]): Promise<ReadonlyMap<string, InstanceState[]>> {
      const rows: (InstanceState & { pack: string })[] = await knex('kernel.pack_instance')
        .whereIn('pack', [...packs])
        .whereIn('instance', knex('kernel.instance').select('id'))
        .orderBy('instance')
        .select('pack', 'instance', 'status', 'digest', 'reason', 'at')
      return Map.groupBy(rows, ({ pack }) => pack)
    }
  }
}
export type States = ReturnType<typeof createStates>
