import { hash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { FileContent } from '../format/files.ts'
import type { SkillFile } from '../schemas/definition.ts'
import type { SkillRow } from './skills.ts'

export type FileStore = ReturnType<typeof createFileStore>

/** The bytes of files, by their SHA-256. */
export function createFileStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async insert(
      trx: Trx,
      { project, owner, id: skillId }: Pick<SkillRow, 'project' | 'owner' | 'id'>,
      contents: readonly FileContent[]
    ): Promise<void> {
      for (const { content } of contents)
        await trx('skills.file')
          .insert({ project, owner, skillId, sha256: hash('sha256', content), content })
          .onConflict(['project', 'skillId', 'sha256'])
          .ignore()
    },

    async find(project: string, skillId: string, sha256: string): Promise<Buffer | undefined> {
      return (await knex('skills.file').where({ project, skillId, sha256 }).first('content'))?.content
    },

    /** All of these files, with what they hold. */
    async list(project: string, skillId: string, files: readonly SkillFile[]): Promise<FileContent[]> {
      const wanted = [...new Set(files.map(({ sha256 }) => sha256))]
      const rows = await knex('skills.file')
        .where({ project, skillId })
        .whereIn('sha256', wanted)
        .select('sha256', 'content')
      const contents = new Map(rows.map(({ sha256, content }) => [sha256, content as Buffer]))
      return files.flatMap(({ path, executable, sha256 }) => {
        const content = contents.get(sha256)
        return content ? [{ path, executable, content }] : []
      })
    }
  }
}
