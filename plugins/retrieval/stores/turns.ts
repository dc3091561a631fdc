import type { Kernel, Trx } from 'agent-platform'

export type TurnStore = ReturnType<typeof createTurnStore>

/** Which job is at the entries of a project. */
export function createTurnStore({ knex }: Pick<Kernel, 'knex'>) {
  const until = (seconds: number) => knex.raw('now() + make_interval(secs => ?)', [seconds])

  return {
    /** For so many seconds; false while another one has it. */
    async take(project: string, holder: string, seconds: number): Promise<boolean> {
      const { rowCount } = await knex.raw(
        `insert into retrieval.turn as t (project, holder, until) values (?, ?, ?)
          on conflict (project) do update set holder = excluded.holder, until = excluded.until
            where t.until < now()`,
        [project, holder, until(seconds)]
      )
      return rowCount === 1
    },

    /** False where it is not its own any more. */
    async update(project: string, holder: string, seconds: number): Promise<boolean> {
      const held = knex('retrieval.turn').where({ project, holder })
      return (await held.update({ until: until(seconds) })) === 1
    },

    async remove(project: string, holder: string): Promise<void> {
      await knex('retrieval.turn').where({ project, holder }).delete()
    },

    /** The instance that has it. */
    async removeOf(trx: Trx, project: string): Promise<void> {
      await trx('retrieval.turn').where({ project }).delete()
    }
  }
}
