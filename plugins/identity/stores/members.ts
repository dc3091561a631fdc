import type { Kernel, Paging, Trx } from 'agent-platform'
import { conflict, lockName, paginate } from 'agent-platform'

export type Role = 'owner' | 'member'
export interface MemberRow {
  readonly project: string
  readonly id: string
  /** The person. */
  readonly owner: string
  readonly role: Role
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}
export interface ProjectRow {
  readonly project: string
  readonly id: string
  /** Who made it. */
  readonly owner: string
  readonly name: string
  readonly environment: 'live' | 'test'
  readonly createdAt: string
}
export type MemberStore = ReturnType<typeof createMemberStore>

/** Projects of people, and who belongs to them. */
export function createMemberStore({ knex }: Pick<Kernel, 'knex'>) {
  const members = (on: Kernel['knex'] | Trx = knex) => on('identity.member')

  /** Changes of a project's members happen one after another, so that it never loses its last owner. */
  async function lockOf(trx: Trx, project: string): Promise<void> {
    await lockName(trx, 'identity.member', project)
  }

  return {
    lockOf,
    findProject: (id: string, on: Kernel['knex'] | Trx = knex): Promise<ProjectRow | undefined> =>
      on('identity.project').where({ id }).first(),
    async insertProject(trx: Trx, row: Omit<ProjectRow, 'createdAt' | 'project'>): Promise<ProjectRow> {
      const [made] = await trx('identity.project')
        .insert({ ...row, project: row.id })
        .onConflict(['project', 'id'])
        .merge({ project: row.id })
        .returning('*')
      return made
    },
    async updateProject(trx: Trx, id: string, name: string): Promise<ProjectRow | undefined> {
      const [changed] = await trx('identity.project').where({ id }).update({ name }).returning('*')
      return changed
    },
    /** With its members, its open invitations, and the record of who made which key. False where it was gone. */
    async removeProject(trx: Trx, id: string): Promise<boolean> {
      await lockOf(trx, id)
      for (const table of ['member', 'invitation', 'project_key'])
        await trx(`identity.${table}`).where({ project: id }).delete()
      return (await trx('identity.project').where({ project: id, id }).delete()) > 0
    },
    /** The persons that belong to a project. */
    listPersonsOf: (trx: Trx, project: string): Promise<string[]> =>
      members(trx).where({ project }).pluck('owner'),
    /** Those to which a person belongs, with its role, newest first. */
    listProjects: (person: string): Promise<(ProjectRow & { role: Role })[]> =>
      knex('identity.project as p')
        .join('identity.member as m', 'm.project', 'p.project')
        .where('m.owner', person)
        .orderBy([
          { column: 'p.createdAt', order: 'desc' },
          { column: 'p.id', order: 'desc' }
        ])
        .select('p.*', 'm.role'),
    /** All ids, the earliest first. */
    listIdsOf: (trx: Trx, person: string): Promise<string[]> =>
      members(trx).where({ owner: person }).orderBy(['createdAt', 'id']).pluck('project'),

    find: (project: string, id: string): Promise<MemberRow | undefined> =>
      members().where({ project, id }).first(),
    findOf: (project: string, person: string, on?: Trx): Promise<MemberRow | undefined> =>
      members(on).where({ project, owner: person }).first(),
    list: (project: string, page: Paging) =>
      paginate<MemberRow>(members().where({ project }), page, 'member'),

    /** With the role that it has already, where it is a member. */
    async insert(trx: Trx, row: Pick<MemberRow, 'project' | 'id' | 'owner' | 'role'>): Promise<MemberRow> {
      await members(trx).insert(row).onConflict(['project', 'owner']).ignore()
      return members(trx).where({ project: row.project, owner: row.owner }).first()
    },

    /** 409 `last_owner` where no other owner would be left. Undefined where it is gone or has another version. */
    async update(
      trx: Trx,
      { project, id }: MemberRow,
      role: Role,
      version?: number
    ): Promise<MemberRow | undefined> {
      await lockOf(trx, project)
      const of = members(trx).where({ project, id, ...(version !== undefined && { version }) })
      const found: MemberRow | undefined = await of.clone().first()
      if (!found || found.role === role) return found
      if (found.role === 'owner') await refuseLast(trx, project, id)
      const [changed] = await of
        .update({ role, version: trx.raw('version + 1'), updatedAt: trx.fn.now() })
        .returning('*')
      return changed
    },

    /** 409 likewise. False where it was gone. */
    async remove(trx: Trx, { project, id }: MemberRow): Promise<boolean> {
      await lockOf(trx, project)
      const found: MemberRow | undefined = await members(trx).where({ project, id }).first()
      if (!found) return false
      if (found.role === 'owner') await refuseLast(trx, project, id)
      await members(trx).where({ project, id }).delete()
      return true
    }
  }

  async function refuseLast(trx: Trx, project: string, id: string): Promise<void> {
    const other = await members(trx).where({ project, role: 'owner' }).whereNot({ id }).first('id')
    if (!other)
      throw conflict('A project keeps an owner: make someone else one first', { code: 'last_owner' })
  }
}
