import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'

export type UploadStore = ReturnType<typeof createUploadStore>

/** A file that came with a request; null: it stays. */
export interface Upload {
  readonly project: string
  readonly owner: string
  readonly digest: string
  readonly fileId: string
  readonly expiresAt: string | null
}
type Key = Pick<Upload, 'project' | 'owner' | 'digest'>

const name = 'openai.upload'

export function createUploadStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** It is used again: it stays as long as what uses it. */
    async take({ project, owner, digest }: Key, expiresAt: string | null): Promise<string | undefined> {
      const [found] = await knex<Upload>(name)
        .where({ project, owner, digest })
        .update({
          expiresAt:
            expiresAt === null ? null : knex.raw('greatest("expiresAt", ?::timestamptz)', [expiresAt])
        } as never)
        .returning('fileId')
      return found?.fileId
    },

    async insert(upload: Upload): Promise<void> {
      await knex<Upload>(name)
        .insert({ id: newId('upload'), ...upload } as never)
        .onConflict(['project', 'owner', 'digest'])
        .merge(['fileId', 'expiresAt'])
    },

    listExpired: (limit: number): Promise<Upload[]> =>
      knex<Upload>(name).where('expiresAt', '<', knex.fn.now()).orderBy('expiresAt').limit(limit),

    remove: async ({ project, owner, digest }: Key): Promise<void> => {
      await knex(name).where({ project, owner, digest }).delete()
    }
  }
}
