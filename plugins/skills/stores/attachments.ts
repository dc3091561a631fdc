import type { Kernel, PageOf, Paging, Principal, Trx } from 'agent-platform'
import { lockName, newId, paginate, reach } from 'agent-platform'
import type { SkillFile } from '../schemas/definition.ts'

export type AttachmentStore = ReturnType<typeof createAttachmentStore>

interface Attachment {
  readonly project: string
  readonly agentId: string
  readonly skillId: string
  readonly owner: string
}

interface NewLoaded extends Attachment {
  readonly sessionId: string
}

/** A skill of an agent, as its runs know it. */
export interface Given {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
}

export interface LoadedSkill {
  readonly slug: string
  readonly instructions: string
  readonly files: readonly SkillFile[]
}

const GIVEN = `select s.id, s.slug, s.name, s.description from skills.attachment a
  join skills.skill s on s.project = a.project and s.id = a."skillId"
  where a.project = ? and a."agentId" = ? order by s.slug collate "C"`
const LOADED = `select s.slug, s.instructions, s.files from skills.loaded l
  join skills.attachment a on a.project = l.project and a."agentId" = l."agentId" and a."skillId" = l."skillId"
  join skills.skill s on s.project = l.project and s.id = l."skillId"
  where l.project = ? and l."sessionId" = ? and l."agentId" = ? order by l.id`

const INSERT_LOADED = `insert into skills.loaded (id, "sessionId", owner, project, "agentId", "skillId")
  select ?, ?, ?, project, "agentId", "skillId" from skills.attachment
  where project = ? and "agentId" = ? and "skillId" = ?
  on conflict (project, "sessionId", "skillId") do nothing`

/** What agents were given, and what their sessions have loaded of that. */
export function createAttachmentStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async findAttached(project: string, agentId: string, skillId: string): Promise<boolean> {
      return (
        (await knex('skills.attachment').where({ project, agentId, skillId }).first('skillId')) !== undefined
      )
    },

    /** By slug. */
    async listGiven(project: string, agentId: string): Promise<readonly Given[]> {
      return (await knex.raw(GIVEN, [project, agentId])).rows
    },

    async listAgents(project: string, skillId: string): Promise<string[]> {
      const rows = await knex('skills.attachment').where({ project, skillId }).select('agentId')
      return rows.map(({ agentId }) => agentId)
    },

    /** Agents that have it, of those that the caller may read. */
    listReached: (
      by: Principal,
      skillId: string,
      page: Paging
    ): Promise<PageOf<Pick<Attachment, 'agentId' | 'skillId'> & { id: string }>> =>
      paginate(
        reach(by, knex('skills.attachment')).where({ skillId }).select('id', 'agentId', 'skillId'),
        page,
        'attachment'
      ),

    /** An agent is given skills by one transaction after the other. */
    lockAgent: (trx: Trx, project: string, agentId: string): Promise<void> =>
      lockName(trx, 'skills.attachment', project, agentId),

    async count(trx: Trx, project: string, agentId: string): Promise<number> {
      const [counted] = await trx('skills.attachment').where({ project, agentId }).count()
      return Number(counted?.count)
    },

    /** False where it was there. */
    async insert(trx: Trx, row: Attachment): Promise<boolean> {
      const insertion = trx('skills.attachment')
        .insert({ id: newId('attachment'), ...row })
        .onConflict(['project', 'agentId', 'skillId'])
        .ignore()
      return (await insertion.returning('skillId')).length > 0
    },

    /** False where there was none. */
    remove: async (trx: Trx, { project, agentId, skillId }: Omit<Attachment, 'owner'>): Promise<boolean> =>
      (await trx('skills.attachment').where({ project, agentId, skillId }).delete()) > 0,

    /** Only while the agent has it. */
    async insertLoaded({ project, owner, sessionId, agentId, skillId }: NewLoaded): Promise<void> {
      await knex.raw(INSERT_LOADED, [newId('loaded'), sessionId, owner, project, agentId, skillId])
    },

    /** In the order in which they were loaded; those that the agent no longer has are left out. */
    async listLoaded(project: string, sessionId: string, agentId: string): Promise<readonly LoadedSkill[]> {
      return (await knex.raw(LOADED, [project, sessionId, agentId])).rows
    }
  }
}
