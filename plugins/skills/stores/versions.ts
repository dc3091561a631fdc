import type { Kernel, Trx } from 'agent-platform'
import type { Skill } from '../schemas/skills.ts'
import type { SkillRow } from './skills.ts'

export type VersionStore = ReturnType<typeof createVersionStore>

/** Skills as they were. */
export function createVersionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async find(project: string, skillId: string, version: number): Promise<Skill | undefined> {
      const row = await knex('skills.version').where({ project, skillId, version }).first('content')
      return row?.content
    },

    /** Those before the current one that are kept, the oldest first. */
    async listPast(skill: SkillRow): Promise<Skill[]> {
      const { project, id: skillId, version } = skill
      return knex('skills.version')
        .where({ project, skillId })
        .where('version', '<', version)
        .orderBy('version')
        .pluck('content')
    },

    async insert(trx: Trx, { project, ...skill }: SkillRow): Promise<void> {
      const { id: skillId, owner, version, updatedAt: createdAt } = skill
      const content = JSON.stringify(skill)
      await trx('skills.version').insert({ project, skillId, owner, version, content, createdAt })
    },

    /** All but the latest `most`, with the bytes of files that no version has any more. */
    async removeOld(trx: Trx, { project, id: skillId, version }: SkillRow, most: number): Promise<void> {
      await trx('skills.version')
        .where({ project, skillId })
        .where('version', '<=', version - most)
        .delete()
      await trx.raw(
        `delete from skills.file f where f.project = :project and f."skillId" = :skillId and not exists (
          select from skills.version v, jsonb_array_elements(v.content->'files') as used
          where v.project = :project and v."skillId" = :skillId and used->>'sha256' = f.sha256)`,
        { project, skillId }
      )
    },

    async removeOfSkill(trx: Trx, project: string, skillId: string): Promise<void> {
      for (const table of ['skills.version', 'skills.file', 'skills.attachment', 'skills.loaded'])
        await trx(table).where({ project, skillId }).delete()
    }
  }
}
