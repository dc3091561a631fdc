import type { Kernel, Owned, Paging } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Outsider } from '../schemas/liaisons.ts'
import { outsiders } from '../schemas/liaisons.ts'
import type { Token } from '../tokens.ts'
import { isSame } from '../tokens.ts'

export type OutsiderStore = ReturnType<typeof createOutsiderStore>
export type OutsiderRow = Outsider & Owned

export function createOutsiderStore({ knex }: Pick<Kernel, 'knex'>) {
  const columns = [...outsiders.columns]

  return {
    async findOfToken({ id, hash }: Token): Promise<OutsiderRow | undefined> {
      const row = await knex(outsiders.name)
        .where({ id })
        .first(...columns, 'tokenHash')
      if (!row || !isSame(hash, row.tokenHash)) return undefined
      const { tokenHash: _, ...outsider } = row
      return outsider
    },

    list: (project: string, liaisonId: string, page: Paging) =>
      paginate<OutsiderRow>(
        knex(outsiders.name)
          .where({ project, liaisonId })
          .select(...columns),
        page,
        'outsider'
      ),

    /** It has sent one more, in that conversation. */
    async updateSpoken({ project, id }: OutsiderRow, sessionId: string): Promise<void> {
      await knex(outsiders.name)
        .where({ project, id })
        .update({ sessionId, messages: knex.raw('messages + 1'), updatedAt: knex.fn.now() })
    }
  }
}
