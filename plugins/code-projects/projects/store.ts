import { createHash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { CodeProjectRow, ProjectFile } from './schemas.ts'
import { codeProjects } from './schemas.ts'

export type FileStore = ReturnType<typeof createFileStore>

/** Bytes that are to lie at a path. */
export interface Written {
  readonly path: string
  readonly bytes: Buffer
}
/** A file, without its bytes. */
export type FileRow = Omit<ProjectFile, 'content' | 'encoding'>
export interface ProjectContent {
  readonly version: number
  readonly files: readonly (FileRow & { readonly content: Buffer })[]
}
type Key = Pick<CodeProjectRow, 'project' | 'id'>

const FILE = 'code_projects.file'
const shown = ['path', 'size', 'sha256', 'version', 'updatedAt'] as const
/** Of a statement, in all. */
const BATCH_BYTES = 8_388_608

/** Files of projects, each with its bytes. */
export function createFileStore({ knex }: Pick<Kernel, 'knex'>) {
  const of = ({ project, id }: Key, on: Kernel['knex'] | Trx = knex) =>
    on(FILE).where({ project, projectId: id })

  /** All of them with their bytes, and the version of the project that they are of: as they were at one moment. */
  async function findWithContent({ project, id }: Key): Promise<ProjectContent | undefined> {
    const rows = await knex(`${codeProjects.name} as p`)
      .leftJoin(`${FILE} as f`, (join) => join.on('f.project', 'p.project').andOn('f.projectId', 'p.id'))
      .where({ 'p.project': project, 'p.id': id })
      .orderBy('f.path')
      .select('p.version as projectVersion', ...[...shown, 'content'].map((name) => `f.${name}`))
    const [first] = rows
    return first && { version: first.projectVersion, files: rows.filter(({ path }) => path !== null) }
  }

  return {
    list: (key: Key, on?: Trx): Promise<FileRow[]> =>
      of(key, on)
        .orderBy('path')
        .select(...shown),

    findWithContent,

    async listWithContent(key: Key): Promise<ProjectContent> {
      const found = await findWithContent(key)
      if (!found) throw notFound(codeProjects.what)
      return found
    },

    /** Bytes by path. */
    async findContents(key: Key, paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
      const rows = await of(key)
        .whereIn('path', [...paths])
        .select('path', 'content')
      return new Map(rows.map(({ path, content }) => [path, content]))
    },

    async replace(trx: Trx, row: CodeProjectRow, files: readonly Written[], version: number): Promise<void> {
      const { project, id: projectId, agentId } = row
      let batch: object[] = []
      let bytes = 0
      const flush = async () => {
        if (batch.length > 0)
          await trx(FILE).insert(batch).onConflict(['project', 'projectId', 'path']).merge()
        batch = []
        bytes = 0
      }
      for (const { path, bytes: content } of files) {
        const updatedAt = new Date().toISOString()
        const known = { project, projectId, agentId, path, version, updatedAt }
        batch.push({ ...known, content, size: content.length, sha256: digestOf(content) })
        bytes += content.length
        if (bytes >= BATCH_BYTES || batch.length === 500) await flush()
      }
      await flush()
    },

    remove: (trx: Trx, key: Key, paths?: readonly string[]): Promise<number> =>
      paths
        ? of(key, trx)
            .whereIn('path', [...paths])
            .delete()
        : of(key, trx).delete()
  }
}

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
