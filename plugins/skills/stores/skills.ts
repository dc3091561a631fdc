import type { Kernel, Paging, Principal, Searching, Trx } from 'agent-platform'
import { lockName, paginate, reach } from 'agent-platform'
import type { Skill } from '../schemas/skills.ts'
import { IndexEntry, skills, summaries } from '../schemas/skills.ts'

export type SkillStore = ReturnType<typeof createSkillStore>
export type SkillRow = Skill & { readonly project: string }

const entryColumns = Object.keys(IndexEntry.properties)

export function createSkillStore({ knex }: Pick<Kernel, 'knex'>) {
  /** An agent reaches those that it was given. */
  function reached(by: Principal, agentId = by.type === 'agent' ? by.id : undefined) {
    if (agentId === undefined) return reach(by, knex(skills.name))
    const given = knex('skills.attachment').where({ project: by.project, agentId }).select('skillId')
    return knex(skills.name).where({ project: by.project }).whereIn('id', given)
  }

  return {
    findBySlug: (project: string, slug: string): Promise<SkillRow | undefined> =>
      knex(skills.name)
        .where({ project, slug })
        .first(...skills.columns),

    /** Those of the agent, else those that the principal reaches. */
    list: (by: Principal, page: Searching, agentId?: string) =>
      paginate<SkillRow>(reached(by, agentId).select(...summaries.columns), page, 'skill', [
        'name',
        'description'
      ]),

    listEntries: (by: Principal, page: Paging, agentId?: string) =>
      paginate<IndexEntry>(reached(by, agentId).select(...entryColumns), page, 'skill'),

    /** Slugs of a project are given by one transaction after the other. */
    lockSlugs: (trx: Trx, project: string): Promise<void> => lockName(trx, 'skills.slug', project),

    /** Of these, those that are given. */
    async findSlugs(trx: Trx, project: string, slugs: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await trx(skills.name)
        .where({ project })
        .whereIn('slug', [...slugs])
        .select('slug')
      return new Set(rows.map(({ slug }) => slug))
    }
  }
}
