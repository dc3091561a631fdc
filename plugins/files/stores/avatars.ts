import type { Kernel, Trx } from 'agent-platform'
import type { Avatar } from '../schemas.ts'

export type AvatarStore = ReturnType<typeof createAvatarStore>
type Key = { readonly project: string; readonly agentId: string }
type AvatarRow = Key & Avatar

export function createAvatarStore({ knex }: Pick<Kernel, 'knex'>) {
  const columns = ['agentId', 'owner', 'size', 'sha256', 'updatedAt']
  return {
    find: async ({ project, agentId }: Key): Promise<Avatar | undefined> =>
      knex('files.avatar')
        .where({ project, agentId })
        .first(...columns),

    async replace(trx: Trx, avatar: Omit<AvatarRow, 'updatedAt'>): Promise<Avatar> {
      const [row] = await trx('files.avatar')
        .insert({ ...avatar, updatedAt: trx.fn.now() })
        .onConflict(['project', 'agentId'])
        .merge()
        .returning(columns)
      return row
    },

    remove: ({ project, agentId }: Key, trx: Trx): Promise<number> =>
      trx('files.avatar').where({ project, agentId }).delete()
  }
}
