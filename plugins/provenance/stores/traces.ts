import type { Kernel, Owned, PageOf, Paging, Principal, RemoveSome, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Item, Mode } from '../recording/items.ts'

export type TraceStore = ReturnType<typeof createTraceStore>

export interface Trace extends Owned {
  /** The run's. */
  readonly id: string
  readonly sessionId: string
  readonly agentId: string
  readonly mode: Exclude<Mode, 'off'>
  readonly status: string
  /** 32 bytes in hex. */
  readonly salt: string
  /** Of `items`. */
  readonly count: number
  readonly items: readonly Item[]
  readonly startedAt: string
  readonly endedAt: string
}
export interface NewSource {
  readonly project: string
  readonly type: 'document' | 'file' | 'space'
  readonly usedId: string
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
}
/** Of a run, a session or an agent, or of all runs that used something. */
export interface Scope {
  readonly type: 'run' | 'session' | 'agent' | NewSource['type']
  readonly id: string
}

const columns = [
  'project',
  'id',
  'owner',
  'sessionId',
  'agentId',
  'mode',
  'status',
  'salt',
  'count',
  'items',
  'startedAt',
  'endedAt'
] as const
const columnOf = { run: 'id', session: 'sessionId', agent: 'agentId' } as const
const isOwn = (type: Scope['type']): type is keyof typeof columnOf => type in columnOf

// One parameter, however many there are.
const insertText = `insert into provenance.trace (project, id, owner, "sessionId", "agentId", mode, status, salt, count, items,
    "startedAt", "endedAt")
  select * from jsonb_to_recordset(?::jsonb) as t(project text, id text, owner text, "sessionId" text, "agentId" text,
    mode text, status text, salt text, count int, items jsonb, "startedAt" timestamptz, "endedAt" timestamptz)
  on conflict do nothing`

export function createTraceStore({ knex }: Pick<Kernel, 'knex'>) {
  const of = (project: string, { type, id }: Scope) => {
    const traces = knex<Trace>('provenance.trace').where({ project })
    if (isOwn(type)) return traces.andWhere(columnOf[type], id)
    return traces.whereIn(
      'id',
      knex('provenance.source').where({ project, type, usedId: id }).select('runId')
    )
  }

  return {
    /** Those that are there already stay as they are. */
    async insertAll(trx: Trx, traces: readonly Trace[], sources: readonly NewSource[]): Promise<void> {
      await trx.raw(insertText, [JSON.stringify(traces)])
      if (sources.length > 0)
        await trx('provenance.source')
          .insert([...sources])
          .onConflict()
          .ignore()
    },

    /** A page, newest first; of what the principal reaches, where one is given. */
    listPage(project: string, scope: Scope, page: Paging, by: Principal | undefined): Promise<PageOf<Trace>> {
      const query = of(project, scope).select(...columns)
      return paginate<Trace>(by ? reach(by, query) : query, page, 'run')
    },

    removeSourcesOf:
      (column: 'sessionId' | 'agentId'): RemoveSome =>
      async ({ project, id }, trx, limit) => {
        const { rowCount } = await trx.raw(
          `delete from provenance.source where ctid = any (array(
            select ctid from provenance.source where project = ? and "${column}" = ? limit ?))`,
          [project, id, limit]
        )
        return rowCount
      },

    /** How many items there are in all. */
    async count(project: string, scope: Scope): Promise<number> {
      const [row] = await of(project, scope).sum({ items: 'count' })
      return Number((row as { items?: string } | undefined)?.items ?? 0)
    },

    /** All of them, in the order in which the runs began. */
    listAll: (project: string, scope: Scope): Promise<Trace[]> =>
      of(project, scope)
        .select(...columns)
        .orderBy('id') as unknown as Promise<Trace[]>
  }
}
