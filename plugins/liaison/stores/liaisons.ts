import type { Kernel, Owned, Trx } from 'agent-platform'
import { liaisons } from '../schemas/liaisons.ts'
import type { Token } from '../tokens.ts'
import { isSame } from '../tokens.ts'

export type LiaisonStore = ReturnType<typeof createLiaisonStore>
export type LiaisonRow = NonNullable<Awaited<ReturnType<typeof liaisons.find>>>
type Key = Pick<Owned, 'project'> & { readonly id: string }

export function createLiaisonStore({ knex }: Pick<Kernel, 'knex'>) {
  const columns = [...liaisons.columns]

  return {
    async findOfToken({ id, hash }: Token): Promise<LiaisonRow | undefined> {
      const row = await knex(liaisons.name)
        .where({ id })
        .first(...columns, 'tokenHash')
      if (!row || !isSame(hash, row.tokenHash)) return undefined
      const { tokenHash: _, ...liaison } = row
      return liaison
    },

    findOfAgent: async (project: string, agentId: string): Promise<LiaisonRow | undefined> =>
      knex(liaisons.name).where({ project, agentId }).first(columns),

    async replaceToken(trx: Trx, { project, id }: Key, tokenHash: Buffer): Promise<void> {
      await trx(liaisons.name).where({ project, id }).update({ tokenHash })
    },

    /** Counts a message of that day; false where the day has had them all. */
    async countMessage({ project, id }: Key): Promise<boolean> {
      const { rowCount } = await knex.raw(
        `update liaison.liaison set day = (now() at time zone 'utc')::date,
           messages = case when day = (now() at time zone 'utc')::date then messages + 1 else 1 end
         where project = ? and id = ?
           and (day is distinct from (now() at time zone 'utc')::date or messages < "dailyMessages")`,
        [project, id]
      )
      return rowCount === 1
    }
  }
}
