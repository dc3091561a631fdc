import type { Kernel, NewRow, Paging, Principal, Trx } from 'agent-platform'
import type { Objects } from '../../storage/contract.ts'
import type { CodeProjectRow } from '../projects/schemas.ts'
import { codeProjects } from '../projects/schemas.ts'
import type { Asset, PublicationRow } from './schemas.ts'
import { publications } from './schemas.ts'

export type PublicationStore = ReturnType<typeof createPublicationStore>
type Key = Pick<CodeProjectRow, 'project' | 'id'>

/** What the address of a preview leads to. */
export interface Site {
  /** Null: it is not shown any more, or not yet. */
  readonly publicationId: string | null
  readonly singlePage: boolean
}

const holderOf = (id: string) => `code-projects/${id}`

interface Deps extends Pick<Kernel, 'knex'> {
  storage: Objects
}

/** Publications, and the objects that they hold. */
export function createPublicationStore({ knex, storage }: Deps) {
  async function removeSome(trx: Trx, where: object, limit: number, offset = 0): Promise<number> {
    const rows = await trx(publications.name)
      .where(where)
      .orderBy('number', 'desc')
      .offset(offset)
      .limit(limit)
      .select('project', 'id')
    for (const { id } of rows) await storage.unlink(trx, holderOf(id))
    for (const { project, id } of rows) await trx(publications.name).where({ project, id }).delete()
    return rows.length
  }

  return {
    find: (id: string) => publications.find(knex, id),
    list: (by: Principal, { agentId, id: projectId }: CodeProjectRow, page: Paging) =>
      publications.list(knex, by, page, { agentId, projectId }),

    /** The next of its project, whose row is locked. Those that are too many go, but never the one that is shown. */
    async insert(
      trx: Trx,
      row: Omit<NewRow<PublicationRow>, 'number'> & { projectId: string },
      assets: readonly Asset[],
      kept: number
    ): Promise<PublicationRow> {
      const { project, projectId } = row
      const last = await trx(publications.name).where({ project, projectId }).max('number as number').first()
      const number = Number(last?.number ?? 0) + 1
      const made = await publications.insert(trx, { ...row, number } as NewRow<PublicationRow>)
      await trx(publications.name)
        .where({ project, id: made.id })
        .update({ files: JSON.stringify(assets) })
      // In one order everywhere, so that no two wait for each other.
      for (const sha256 of [...new Set(assets.map(([, sha256]) => sha256))].sort())
        await storage.link(trx, sha256, holderOf(made.id))
      await removeSome(trx, { project, projectId }, 1_000, kept)
      return made
    },

    /** Which objects the publications of a project hold, so that they need not be stored anew. */
    async listHeld({ project, id: projectId }: Key): Promise<ReadonlySet<string>> {
      const rows = await knex(publications.name)
        .where({ project, projectId })
        .orderBy('number', 'desc')
        .limit(1)
        .select('files')
      return new Set(rows.flatMap(({ files }) => (files as Asset[]).map(([, sha256]) => sha256)))
    },

    /** The preview shows that one from now on, or nothing. Publishing is no edit: the version stays. */
    async updateShown(trx: Trx, { project, id }: Key, publicationId: string | null): Promise<CodeProjectRow> {
      const [row] = await trx(codeProjects.name)
        .where({ project, id })
        .update({ publicationId })
        .returning(codeProjects.columns as string[])
      return row
    },

    async removeAll(trx: Trx, { project, id: projectId }: Key): Promise<void> {
      await removeSome(trx, { project, projectId }, 1_000)
    },

    /** By the slug of its project; with a number one that is kept. */
    async findSite(slug: string, number?: number): Promise<Site | undefined> {
      const id = `codeproject_${slug.slice(slug.lastIndexOf('-') + 1)}`
      const known = await knex(codeProjects.name)
        .where({ id })
        .first('project', 'id', 'slug', 'publicationId')
      if (known?.slug !== slug) return undefined
      const { project, id: projectId, publicationId } = known
      if (publicationId === null) return { publicationId, singlePage: false }
      const which = number === undefined ? { id: publicationId } : { projectId, number }
      const row = await knex(publications.name)
        .where({ project, ...which })
        .first('id', 'singlePage')
      return row && { publicationId: row.id, singlePage: row.singlePage }
    },
    async findAssets(id: string): Promise<readonly Asset[]> {
      return (await knex(publications.name).where({ id }).first('files'))?.files ?? []
    }
  }
}
