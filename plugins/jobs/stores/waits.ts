import type { Kernel, Trx } from 'agent-platform'
import type { Wait } from '../contract.ts'

export type WaitStore = ReturnType<typeof createWaitStore>

interface WaitRow extends Omit<Wait, 'deadline'> {
  readonly deadline: string
  readonly settledAt: string | null
}

const columns = ['id', 'project', 'owner', 'waiter', 'subject', 'deadline', 'settledAt'] as const
const BATCH = 500

const opened = ({ settledAt: _, deadline, ...row }: WaitRow): Wait => ({
  ...row,
  deadline: new Date(deadline)
})

export function createWaitStore({ knex }: Pick<Kernel, 'knex'>) {
  const waits = (on: Kernel['knex'] | Trx = knex) => on('jobs.wait')
  const open = (on?: Trx) => waits(on).whereNull('settledAt')
  const settled = (on: Trx, outcome: string) => ({ settledAt: on.fn.now(), outcome })
  return {
    async insert(trx: Trx, { id, project, owner, waiter, subject, deadline }: Wait): Promise<void> {
      await waits(trx).insert({ id, project, owner, waiter, subject, deadline })
    },

    /** Whether there is such a wait, open or not. */
    find: async (trx: Trx, project: string, id: string): Promise<boolean> =>
      (await waits(trx).where({ project, id }).first('id')) !== undefined,

    findOpen: async (project: string, id: string): Promise<Wait | undefined> => {
      const row: WaitRow | undefined = await open()
        .where({ project, id })
        .first(...columns)
      return row && opened(row)
    },

    /** Open ones of these waiters whose deadline passed so many seconds ago, in batches. */
    async *listOverdue(waiters: readonly string[], seconds: number): AsyncGenerator<readonly Wait[]> {
      for (let after = ''; ; ) {
        const rows: WaitRow[] = await open()
          .whereIn('waiter', [...waiters])
          .andWhere('id', '>', after)
          .andWhereRaw(`deadline <= now() - ? * interval '1 s'`, [seconds])
          .orderBy('id')
          .limit(BATCH)
          .select(...columns)
        if (rows.length > 0) yield rows.map(opened)
        if (rows.length < BATCH) return
        after = (rows.at(-1) as WaitRow).id
      }
    },

    /** Before its deadline; false when it is settled, due or unknown. */
    settleAnswered: async (trx: Trx, project: string, id: string): Promise<boolean> =>
      (await open(trx)
        .where({ project, id })
        .andWhereRaw('deadline > now()')
        .update(settled(trx, 'answered'))) > 0,

    /** From its deadline on; false when it is settled, not due or unknown. */
    settleExpired: async (trx: Trx, project: string, id: string): Promise<boolean> =>
      (await open(trx)
        .where({ project, id })
        .andWhereRaw('deadline <= now()')
        .update(settled(trx, 'expired'))) > 0,

    async settleOfSubject(trx: Trx, project: string, subject: string): Promise<void> {
      await open(trx).where({ project, subject }).update(settled(trx, 'abandoned'))
    },

    /** A batch of those that were settled so many days ago; says how many. */
    removeSettled: (days: number): Promise<number> =>
      waits()
        .whereIn(
          ['project', 'id'],
          waits()
            .whereRaw(`"settledAt" < now() - ? * interval '1 day'`, [days])
            .limit(BATCH)
            .select('project', 'id')
        )
        .delete()
  }
}
