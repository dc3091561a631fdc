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

/** Packs of a generation, as far as it matters here. */
type Running = ReadonlyMap<string, { readonly loaded: { readonly digest: string } }>

/**
 * What this instance knows of its packs, and the table in which all instances say so. There a digest says that the
 * instance runs the pack or may do so at any moment, from before its first request until after its last one.
 */
export function createStates(knex: Knex, instance: () => number | undefined) {
  const states = new Map<string, PackState>()
  /** Of generations that were replaced and have not ended yet. */
  const ending = new Set<Running>()
  let published: Promise<void> = Promise.resolve()

  /** What others are to know of a pack: one that is off here may still have requests under way. */
  function told() {
    const last = new Map<string, PackState>()
    for (const packs of ending)
      for (const [pack, { loaded }] of packs)
        last.set(pack, { ...isOff, digest: loaded.digest, reason: 'its last requests have not ended' })
    const now = [...states].filter(([pack, { digest }]) => digest || !last.has(pack))
    return [...new Map([...last, ...now])].map(([pack, { status, digest, reason }]) => ({
      pack,
      status,
      digest,
      reason
    }))
  }

  async function write(): Promise<void> {
    const id = instance()
    if (id === undefined) return
    const rows = told()
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
  }
  /** Replaces what this instance said; one after the other, or an old word could come last. */
  function publish(): Promise<void> {
    published = published.catch(() => undefined).then(write)
    return published
  }

  return {
    get: (pack: string) => states.get(pack) ?? isOff,
    set: (pack: string, state: PackState) => void states.set(pack, state),
    /** Nothing is to be said of it any more. */
    forget: (pack: string) => void states.delete(pack),
    entries: () => [...states],
    named: (status: PackStatus) =>
      [...states].flatMap(([name, state]) => (state.status === status ? name : [])),

    publish,

    /** Says that this instance is about to run these versions, before it does. */
    async announce(packs: readonly { readonly name: string; readonly digest: string }[]): Promise<void> {
      const id = instance()
      const news = packs.filter(({ name }) => !states.get(name)?.digest)
      if (id === undefined || news.length === 0) return
      await knex('kernel.pack_instance')
        .insert(
          news.map(({ name, digest }) => ({
            instance: id,
            pack: name,
            status: 'off',
            digest,
            reason: 'starts'
          }))
        )
        .onConflict(['instance', 'pack'])
        .merge(['digest', 'reason'])
    },

    /** The packs of a generation that was replaced count as run by this instance until it has ended. */
    async end(packs: Running, ended: Promise<unknown>): Promise<void> {
      ending.add(packs)
      await ended
      ending.delete(packs)
      if ([...packs.keys()].some((pack) => !states.get(pack)?.digest)) await publish()
    },

    /** Living instances that run the pack or are about to, as far as they said. */
    runners: (pack: string, on: Knex | Knex.Transaction = knex): Promise<number[]> =>
      on('kernel.pack_instance')
        .where({ pack })
        .whereNotNull('digest')
        .whereIn('instance', on('kernel.instance').whereNull('deadAt').select('id'))
        .orderBy('instance')
        .pluck('instance'),

    /** Whether a living instance, other than this one, has the pack's folder or says anything else of it. */
    async elsewhere(pack: string, on: Knex | Knex.Transaction): Promise<boolean> {
      const others = on('kernel.instance')
        .whereNull('deadAt')
        .whereNot({ id: instance() ?? 0 })
      const said = on('kernel.pack_instance').where({ pack }).whereIn('instance', others.select('id'))
      return (await said.first('pack')) !== undefined
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
