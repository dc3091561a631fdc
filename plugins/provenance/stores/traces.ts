import type { Kernel, Owned, PageOf, Paging, Principal, Trx } from 'agent-platform'
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

// One parameter, however many there are.
const insertText = `insert into provenance.trace (project, id, owner, "sessionId", "agentId", mode, status, salt, count, items,
    "startedAt", "endedAt")
  select * from jsonb_to_recordset(?::jsonb) as t(project text, id text, owner text, "sessionId" text, "agentId" text,
    mode text, status text, salt text, count int, items jsonb, "startedAt" timestamptz, "endedAt" timestamptz)
  on conflict do nothing`

export function createTraceStore({ knex }: Pick<Kernel, 'knex'>) {
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

    /** A page of those that used it, newest first; of what the principal reaches. */
    listUsing(by: Principal, { type, id }: Scope, page: Paging): Promise<PageOf<Trace>> {
      const { project } = by
      const using = knex('provenance.source').where({ project, type, usedId: id }).select('runId')
      const query = knex<Trace>('provenance.trace').where({ project }).whereIn('id', using)
      return paginate<Trace>(reach(by, query.select(...columns)), page, 'run')
    },

    /** Of these runs those that are written down, in no order. */
    listOf: (project: string, runIds: readonly string[]): Promise<readonly Trace[]> =>
      knex<Trace>('provenance.trace')
        .where({ project })
        .whereIn('id', [...runIds])
        .select(...columns) as unknown as Promise<readonly Trace[]>
  }
}
