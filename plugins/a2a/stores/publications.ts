import type { Kernel } from 'agent-platform'
import type { Publication } from '../schemas/publications.ts'
import { publications } from '../schemas/publications.ts'

export type PublicationStore = ReturnType<typeof createPublicationStore>
export type PublicationRow = Publication & { readonly project: string }

export function createPublicationStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = () => knex(publications.name).select(...publications.columns)
  return {
    find: (project: string, agentId: string): Promise<PublicationRow | undefined> =>
      rows().where({ project, agentId }).first(),
    /** Up to so many of the whole platform. */
    listAny: (limit: number): Promise<PublicationRow[]> => rows().limit(limit)
  }
}
