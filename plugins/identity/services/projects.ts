import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, current, forbidden, newId, notFound, pageOf, typeOfId } from 'agent-platform'
import type { Artifacts } from '../stores/artifacts.ts'
import type { InvitationStore } from '../stores/invitations.ts'
import type { KeyStore } from '../stores/keys.ts'
import type { MemberRow, MemberStore, ProjectRow, Role } from '../stores/members.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import type { Membership } from './membership.ts'
import { ROLES } from './membership.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'

export type ProjectService = ReturnType<typeof createProjectService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'projects'> {
  people: People
  membership: Membership
  personStore: PersonStore
  memberStore: MemberStore
  invitationStore: InvitationStore
  artifacts: Artifacts
  keyStore: KeyStore
}

/** Projects of people, and who belongs to them with which role. */
export function createProjectService(deps: Deps) {
  const { transaction, facts, projects, people, personStore, memberStore, keyStore } = deps
  const { invitationStore, artifacts } = deps
  const { enter, hold, holdPerson } = deps.membership

  async function make(person: PersonRow, name: string, environment: 'live' | 'test') {
    const id = newId('project')
    return transaction(async (trx) => {
      await holdPerson(trx, person.id)
      await projects.create(trx, id, environment)
      const made = await memberStore.insertProject(trx, { id, owner: person.id, name, environment })
      const member = { project: id, id: newId('member'), owner: person.id, role: 'owner' } as const
      await memberStore.insert(trx, member)
      const data = { id, name, environment }
      const by = principalOf(person, id)
      await facts.record(trx, 'identity.project_created', by, { subject: id, owner: person.id, data })
      return { ...made, role: member.role as Role }
    })
  }

  /** Keys of a person in a project, also those of services. */
  async function revokeKeysOf(trx: Trx, project: string, person: string, by: Principal): Promise<void> {
    for (const id of await keyStore.listOf(trx, project, person)) {
      const ids = await projects.revokeKeys(trx, project, [id])
      if (ids.length === 0) continue
      const details = { subject: id, owner: person, data: { ids: [...ids] } }
      await facts.record(trx, 'identity.key_revoked', by, details)
    }
  }

  async function memberOf(project: string, id: string): Promise<MemberRow> {
    const found = await memberStore.find(project, id)
    if (!found) throw notFound('Member')
    return found
  }

  const detailsOf = ({ id: memberId, owner: personId, role }: MemberRow) => ({
    subject: memberId,
    owner: personId,
    data: { memberId, personId, role }
  })

  /** From the commit on the principal may do nothing in the project, and what goes on for it ends. */
  async function endAccess(trx: Trx, project: string, id: string): Promise<void> {
    await projects.exclude(trx, project, id)
    const details = { subject: id, owner: id, data: { principalId: id } }
    await facts.record(trx, 'identity.access_ended', principalOf({ id }, project), details)
  }

  return {
    enter,
    hold,
    endAccess,
    revokeKeysOf,

    async create(
      by: Principal,
      { name, environment = 'live' }: { name: string; environment?: 'live' | 'test' }
    ) {
      return make(await people.of(by), name, environment)
    },

    async list(by: Principal, page: Paging) {
      const { id } = await people.of(by)
      return pageOf('projects', await memberStore.listProjects(id), page)
    },

    async read(by: Principal, id: string) {
      const { project, member } = await enter(by, id)
      return { ...project, role: member.role }
    },

    async rename(by: Principal, id: string, name: string) {
      const { acting, person, member } = await enter(by, id, ['owner'])
      return transaction(async (trx) => {
        const changed = await memberStore.updateProject(trx, id, name)
        if (!changed) throw notFound('Project')
        const details = { subject: id, owner: person.id, data: { id, name } }
        await facts.record(trx, 'identity.project_renamed', acting, details)
        return { ...changed, role: member.role }
      })
    },

    /**
     * Closes a project for good: whoever had access loses it, people and services alike, with their keys, tokens, open streams and
     * work in the background. What is in it is not deleted, but nobody reaches it any more, unless an operator invites an owner
     * anew. 409 for the project of the operator, which no person has made.
     */
    async remove(by: Principal, id: string): Promise<{ id: string; deleted: true }> {
      const { acting, person } = await enter(by, id, ['owner'])
      if (typeOfId(id) !== 'project')
        throw conflict('This project is the operator’s', { code: 'operators_project' })
      await transaction(async (trx) => {
        await hold(trx, id, person, ['owner'])
        const members = await memberStore.listPersonsOf(trx, id)
        if (!(await memberStore.removeProject(trx, id))) throw notFound('Project')
        // Who belonged to it does not again when it is opened anew.
        for (const member of members) await endAccess(trx, id, member)
        await projects.close(trx, id)
        const details = { subject: id, owner: person.id, data: { id } }
        await facts.record(trx, 'identity.project_deleted', acting, details)
      })
      return { id, deleted: true }
    },

    /** Those in which a person may act; one of its own where there would be none. */
    async available(person: PersonRow): Promise<readonly (ProjectRow & { role: Role })[]> {
      const found = await memberStore.listProjects(person.id)
      return found.length > 0 ? found : [await make(person, `Project of ${person.name}`, 'live')]
    },

    async listMembers(by: Principal, project: string, page: Paging) {
      await enter(by, project)
      const { data, nextCursor } = await memberStore.list(project, page)
      const known = new Map(
        (await personStore.listByIds(data.map(({ owner }) => owner))).map((one) => [one.id, one])
      )
      return { data: data.map((row) => shown(row, known.get(row.owner))), nextCursor }
    },

    async updateMember(by: Principal, project: string, id: string, role: Role, version?: number) {
      const { acting, person } = await enter(by, project, ['owner'])
      const found = await memberOf(project, id)
      const row = await transaction(async (trx) => {
        await hold(trx, project, person, ['owner'])
        const changed = current(await memberStore.update(trx, found, role, version), 'Member', version)
        if (changed.role !== 'owner') await invitationStore.removeOf(trx, changed.owner, project)
        if (changed.role !== found.role)
          await facts.record(trx, 'identity.member_changed', acting, detailsOf(changed))
        return changed
      })
      return shown(row, await personStore.find(row.owner))
    },

    /** An owner removes anyone, and a member itself. From then on the person may do nothing in the project. */
    async removeMember(by: Principal, project: string, id: string): Promise<{ id: string; deleted: true }> {
      const { acting, member, person } = await enter(by, project)
      const found = await memberOf(project, id)
      if (member.role !== 'owner' && member.id !== id)
        throw forbidden('That is for owners of the project', { code: 'not_owner' })
      await transaction(async (trx) => {
        await hold(trx, project, person, member.id === id ? ROLES : ['owner'])
        if (!(await memberStore.remove(trx, found))) throw notFound('Member')
        await endAccess(trx, project, found.owner)
        await revokeKeysOf(trx, project, found.owner, acting)
        await invitationStore.removeOf(trx, found.owner, project)
        await artifacts.removeGrantsOf(trx, found.owner, project)
        await facts.record(trx, 'identity.member_removed', acting, detailsOf(found))
      })
      return { id, deleted: true }
    },

    /**
     * A person of an invitation belongs to the project from then on. 404 where that is closed, 403 where the person is disabled.
     */
    async addMember(trx: Trx, person: PersonRow, project: string, role: Role): Promise<void> {
      await memberStore.lockOf(trx, project)
      if (!(await memberStore.findProject(project, trx))) throw notFound('Project')
      await holdPerson(trx, person.id)
      await projects.reopen(trx, project)
      await projects.admit(trx, project, person.id)
      const member = await memberStore.insert(trx, { project, id: newId('member'), owner: person.id, role })
      await facts.record(trx, 'identity.member_added', principalOf(person, project), detailsOf(member))
    }
  }
}

export const shown = ({ project, owner, ...row }: MemberRow, person: PersonRow | undefined) => ({
  ...row,
  projectId: project,
  personId: owner,
  name: person?.name ?? '',
  email: person?.email ?? '',
  disabledAt: person?.disabledAt ?? null
})
