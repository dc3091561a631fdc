import type { Kernel, PageOf, Paging, Principal } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { StepRow } from '../executions/journal.ts'

export type WaitingStepStore = ReturnType<typeof createWaitingStepStore>

type Row = Pick<StepRow, 'id' | 'path' | 'stepId' | 'kind' | 'input' | 'deadline' | 'startedAt'> & {
  readonly owner: string
  readonly executionId: string
}

const columns = [
  'id',
  'owner',
  'executionId',
  'path',
  'stepId',
  'kind',
  'input',
  'deadline',
  'startedAt'
] as const
/** The condition of the indexes `step_awaiting` and `step_asked`. */
const awaiting = `awaits and kind in ('approval', 'wait')`
const open = `status = 'waiting' and arrival is null and (deadline is null or deadline > now())
  and not coalesce(decisions @> ?::jsonb, false)`

/** Steps that wait for people and for events from outside, over all executions. */
export function createWaitingStepStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Those of its own, and the approvals that list it, except what it has decided. */
    list(by: Principal, page: Paging): Promise<PageOf<Row>> {
      const who = by.initiator ?? by.id
      const decided = JSON.stringify([{ by: who }])
      const steps = () =>
        knex('workflows.step')
          .select(...columns)
          .whereRaw(awaiting)
          .whereRaw(open, [decided])
      const own = reach(by, steps())
      // What a service made for itself is decided by itself alone.
      if (by.initiator) own.where({ owner: by.initiator })
      if (by.type === 'service' && !by.initiator) return paginate(own, page, 'step')
      const listed = steps()
        .where({ project: by.project, kind: 'approval' })
        .whereNot({ owner: who })
        .whereRaw(`input->'principals' @> ?::jsonb`, [JSON.stringify([who])])
      return paginate(knex.from(knex.unionAll([own, listed], true).as('s')), page, 'step')
    },

    /** Of which workflow they are, by execution. */
    async listWorkflows(
      project: string,
      executions: readonly string[]
    ): Promise<ReadonlyMap<string, { workflowId: string; name: string | null }>> {
      if (executions.length === 0) return new Map()
      const rows: { id: string; workflowId: string; name: string | null }[] = await knex(
        'workflows.execution as e'
      )
        .leftJoin('workflows.workflow as w', { 'w.project': 'e.project', 'w.id': 'e.workflowId' })
        .where({ 'e.project': project })
        .whereIn('e.id', [...executions])
        .select('e.id', 'e.workflowId', 'w.name')
      return new Map(rows.map((row) => [row.id, row]))
    }
  }
}
