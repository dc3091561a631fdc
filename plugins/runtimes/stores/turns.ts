import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Turn } from '../schemas/protocol.ts'

export type TurnStore = ReturnType<typeof createTurnStore>

export interface TurnRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly runtimeId: string
  readonly runId: string
  readonly step: number
  readonly attempt: number
  readonly processId: string | null
  readonly status: 'queued' | 'given' | 'completed' | 'failed' | 'cancelled'
  /** `seq` of its last event that is kept. */
  readonly last: number
  readonly characters: number
  readonly body: Pick<Turn, 'sessionId' | 'messages' | 'tools'>
  readonly createdAt: string
  readonly endedAt: string | null
}
type Key = Pick<TurnRow, 'project' | 'id'>

const TABLE = 'runtimes.turn'
const open = ['queued', 'given'] as const

/** What runtimes are asked, a step of a run each. */
export function createTurnStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string): Promise<TurnRow | undefined> => knex(TABLE).where({ id }).first(),
    lock: (trx: Trx, { project, id }: Key): Promise<TurnRow | undefined> =>
      trx(TABLE).where({ project, id }).forUpdate().first(),
    lockOfRun: (trx: Trx, project: string, runId: string, step: number): Promise<TurnRow | undefined> =>
      trx(TABLE).where({ project, runId, step }).forUpdate().first(),
    async insert(trx: Trx, { body, ...row }: Partial<TurnRow>): Promise<TurnRow> {
      const [made] = await trx(TABLE)
        .insert({ ...row, body: JSON.stringify(body) })
        .returning('*')
      return made
    },
    update: (trx: Trx, { project, id }: Key, changes: Partial<Omit<TurnRow, 'body'>>): Promise<unknown> =>
      trx(TABLE).where({ project, id }).update(changes),
    /** Of a runtime, that wait for a process. */
    lockQueued: (trx: Trx, { project, id }: Key): Promise<TurnRow[]> =>
      trx(TABLE).where({ project, runtimeId: id, status: 'queued' }).orderBy('id').forUpdate(),
    /** Of a process, or with `undefined` all of the runtime that are not over. */
    lockOpen: (trx: Trx, { project, id }: Key, processId?: string): Promise<TurnRow[]> =>
      trx(TABLE)
        .where({ project, runtimeId: id })
        .whereIn('status', [...open])
        .where((of) => (processId === undefined ? of : of.where({ processId })))
        .orderBy('id')
        .forUpdate(),
    listOfRuns: (trx: Trx, runs: readonly (readonly [project: string, runId: string])[]): Promise<Key[]> =>
      trx(TABLE)
        .whereIn(['project', 'runId'], runs as [string, string][])
        .select('project', 'id'),
    listOfAgent: (trx: Trx, project: string, agentId: string): Promise<Pick<TurnRow, 'id'>[]> =>
      trx(TABLE).where({ project, agentId }).select('id'),
    remove: (trx: Trx, { project, id }: Key): Promise<unknown> => trx(TABLE).where({ project, id }).delete(),
    /** Of runs that have ended unheard, or are gone. */
    listOld: (limit: number): Promise<Key[]> =>
      knex(TABLE).whereRaw(`"createdAt" < now() - interval '2 days'`).select('project', 'id').limit(limit)
  }
}
