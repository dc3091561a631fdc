import type { Kernel, Paging, Trx } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Act, Entry } from '../audit/chain.ts'
import { entryOf, GENESIS } from '../audit/chain.ts'

export type AuditStore = ReturnType<typeof createAuditStore>

/** An act, and what it is known by: it is there once. */
export interface SourcedAct extends Act {
  readonly source: string
}

export interface AuditQuery {
  readonly type?: string | undefined
  readonly actor?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type Row = Omit<Entry, 'project' | 'seq'> & { readonly inProject: string | null; readonly seq: string }

const columns = [
  'seq',
  'inProject',
  'owner',
  'type',
  'actor',
  'subject',
  'details',
  'at',
  'previous',
  'hash'
] as const

/** The audit log: a chain that is only ever added to. */
export function createAuditStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on('observability.audit')

  return {
    /** Adds those that are not there, in their order, behind what is. */
    async insertAll(trx: Trx, acts: readonly SourcedAct[]): Promise<void> {
      await trx.raw(`select pg_advisory_xact_lock(hashtextextended('observability.audit', 0))`)
      const sources = acts.map(({ source }) => source)
      const known = new Set<string>(await rows(trx).whereIn('source', sources).pluck('source'))
      const last = await rows(trx).orderBy('seq', 'desc').first('seq', 'hash')
      let seq = last ? Number(last.seq) : 0
      let previous: string = last?.hash ?? GENESIS
      const entries: object[] = []
      for (const { source, ...act } of acts) {
        if (known.has(source)) continue
        known.add(source)
        const { project, details, ...entry } = entryOf(act, ++seq, previous)
        previous = entry.hash
        entries.push({ ...entry, inProject: project, details: JSON.stringify(details), source })
      }
      if (entries.length > 0) await rows(trx).insert(entries)
    },

    /** A page, the latest first. */
    async list({ type, actor, from, to }: AuditQuery, { limit = 20, cursor }: Paging) {
      const query = rows()
        .select(...columns)
        .orderBy('seq', 'desc')
        .limit(limit + 1)
      if (cursor !== undefined) query.where('seq', '<', seqOf(cursor))
      if (type !== undefined) query.where({ type })
      if (actor !== undefined) query.where({ actor })
      if (from !== undefined) query.where('at', '>=', from)
      if (to !== undefined) query.where('at', '<', to)
      const found = (await query) as Row[]
      const data = found.slice(0, limit).map(
        ({ inProject, seq, at, ...entry }): Entry => ({
          ...entry,
          seq: Number(seq),
          project: inProject,
          at: new Date(at).toISOString()
        })
      )
      const last = found.length > limit ? data.at(-1) : undefined
      return { data, nextCursor: last ? Buffer.from(`audit ${last.seq}`).toString('base64url') : null }
    },

    /** Of what is the platform's own: by what the last one is known. */
    async findLastChange(): Promise<string | undefined> {
      const row = await rows().where('source', 'like', 'change\\_%').orderBy('source', 'desc').first('source')
      return row?.source
    }
  }
}

function seqOf(cursor: string): number {
  const [, seq] = /^audit (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (seq === undefined)
    throw invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
  return Number(seq)
}
