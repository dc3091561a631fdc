import type { Kernel, Owned, Trx } from 'agent-platform'
import { encode } from './json.ts'
import type { Repetition } from './starts.ts'

export type EventStore = ReturnType<typeof createEventStore>

export interface EventRow extends Owned {
  readonly id: string
  readonly workflowId: string
  /** Null while it is kept for the first execution that waits for its key. */
  readonly executionId: string | null
  readonly name: string
  readonly key: string | null
  readonly data: unknown
  /** Bytes of `data`. */
  readonly size: number
  /** The step that goes on with it. */
  readonly takenBy: string | null
  readonly createdAt: string
}

/** What a step waits for. */
export interface Awaited {
  readonly project: string
  readonly workflowId: string
  readonly executionId: string
  readonly name: string
  /** Null: those of the execution, whatever their key. */
  readonly key: string | null
}

const TABLE = 'workflows.event'
const columns = [
  'project',
  'id',
  'owner',
  'workflowId',
  'executionId',
  'name',
  'key',
  'data',
  'size',
  'takenBy',
  'createdAt'
] as const
const MOST_KEPT = 1_000

/** Events from outside that executions wait for, or are going to. */
export function createEventStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    findRequested: async (project: string, requestKey: string, on: Kernel['knex'] | Trx = knex) =>
      (await on(TABLE)
        .where({ project, requestKey })
        .first(...columns, 'requestDigest')) as (EventRow & { requestDigest: string }) | undefined,

    /** The one that the step goes on with. */
    findTaken: async (project: string, takenBy: string): Promise<EventRow | undefined> =>
      knex(TABLE)
        .where({ project, takenBy })
        .first(...columns),

    /** Those that no step has taken and that this one would, the first of them first. */
    listKept: async (
      trx: Trx,
      { project, workflowId, executionId, name, key }: Awaited
    ): Promise<readonly EventRow[]> =>
      trx(TABLE)
        .where({ project, workflowId, name })
        .whereNull('takenBy')
        .where((its) => {
          its.where({ executionId })
          if (key !== null) its.orWhereNull('executionId')
        })
        .where((fitting) => {
          if (key !== null) fitting.where({ key })
        })
        .orderBy('id')
        .limit(MOST_KEPT)
        .select(...columns),

    /** Ahead of looking for what is kept for a key, so that nothing comes meanwhile. */
    lockWorkflow: async (trx: Trx, project: string, id: string): Promise<void> => {
      await trx('workflows.workflow').where({ project, id }).forUpdate().first('id')
    },

    /** How many, and how large, are kept for an execution, or for keys of a workflow. */
    async countKept(trx: Trx, { project, workflowId, executionId }: EventRow) {
      const [row] = await trx(TABLE)
        .where({ project, workflowId, executionId })
        .whereNull('takenBy')
        .select(trx.raw('count(*)::int as count, coalesce(sum(size), 0)::int as size'))
      return row as unknown as { readonly count: number; readonly size: number }
    },

    async insert(trx: Trx, row: Omit<EventRow, 'createdAt'>, repetition?: Repetition): Promise<EventRow> {
      const request = repetition && { requestKey: repetition.key, requestDigest: repetition.digest }
      const [made] = await trx(TABLE)
        .insert({ ...row, data: encode(row.data), ...request })
        .returning([...columns])
      return made as EventRow
    },

    /** False where another step was faster. */
    updateTaken: async (
      trx: Trx,
      { project, id }: EventRow,
      taken: Pick<EventRow, 'executionId' | 'takenBy'>
    ): Promise<boolean> => (await trx(TABLE).where({ project, id }).whereNull('takenBy').update(taken)) > 0,

    /**
     * After a day, by when no delivery is repeated: those that a step has gone on with, and those whose execution has
     * ended; and those that were kept for a key for so many seconds.
     */
    removePast: (keptSeconds: number): Promise<number> =>
      knex(TABLE)
        .whereRaw(`"createdAt" < now() - interval '1 day'`)
        .where((past) =>
          past
            .whereRaw(
              `exists (select from workflows.step s
                where s.project = event.project and s.id = event."takenBy" and s."endedAt" is not null)`
            )
            .orWhereRaw(
              `exists (select from workflows.execution x
                where x.project = event.project and x.id = event."executionId" and x."endedAt" is not null)`
            )
            .orWhereRaw(`event."executionId" is null and event."createdAt" < now() - ? * interval '1 s'`, [
              keptSeconds
            ])
        )
        .delete(),

    removeOfWorkflow: (trx: Trx, project: string, workflowId: string): Promise<number> =>
      trx(TABLE).where({ project, workflowId }).delete()
  }
}
