import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, invalid, notFound } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { InvitationRow, InvitationStore } from '../stores/invitations.ts'
import type { MemberStore, Role } from '../stores/members.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import { newLink, readLink } from './one-time-links.ts'
import { checkPassword } from './passwords.ts'
import type { People } from './people.ts'
import type { ProjectService } from './projects.ts'

export type Invitations = ReturnType<typeof createInvitations>

interface Deps extends Pick<Kernel, 'platform' | 'transaction' | 'facts' | 'projects'> {
  settings: Settings
  invitationStore: InvitationStore
  personStore: PersonStore
  memberStore: MemberStore
  people: People
  projectService: ProjectService
}
const DAY_MS = 24 * 3_600_000
const LINK = 'invitation'

/** Links by which people come to the platform, or to a project: good once, for the address that was invited. */
export function createInvitations(deps: Deps) {
  const { platform, transaction, facts, settings, invitationStore, personStore, memberStore } = deps
  const { people, projectService, projects } = deps

  interface Draft extends Pick<InvitationRow, 'project' | 'role' | 'isOperator' | 'byOperator'> {
    readonly email: string
  }
  /** `hold` says whether it may still, in the transaction. */
  async function insert(by: Principal, { email, ...draft }: Draft, hold?: (trx: Trx) => Promise<void>) {
    const { code, ...link } = newLink(LINK)
    const expiresAt = new Date(Date.now() + settings.invitationDays * DAY_MS).toISOString()
    const row = { ...draft, ...link, owner: by.id, email: email.toLowerCase() }
    const made = await transaction(async (trx) => {
      await hold?.(trx)
      const made = await invitationStore.insert(trx, { ...row, expiresAt })
      const data = { id: row.id, email: row.email, role: row.role }
      await facts.record(trx, 'identity.person_invited', by, { subject: row.id, owner: by.id, data })
      return made
    })
    // A path of pages of this server alone: no page there loads anything from elsewhere, nor names itself in a referrer.
    return { ...shown(made), url: `${platform.baseUrl}/identity/invitations/${code}` }
  }

  /** An operator is a person that is not disabled, or a key, of which its revocation is enough. */
  const holdOperator =
    ({ id }: Principal) =>
    async (trx: Trx): Promise<void> => {
      if ((await personStore.findHeld(trx, id))?.disabledAt)
        throw forbidden('That is for people who have signed in', { code: 'person_required' })
    }

  async function read(code: string) {
    const link = readLink(LINK, code)
    const invitation = link && (await invitationStore.find(link.id, link.secretHash))
    if (!link || !invitation) throw notFound('Invitation')
    return { invitation, link, hasAccount: (await personStore.findByEmail(invitation.email)) !== undefined }
  }

  return {
    read,

    /**
     * To the platform, and to a project where one is named. 400 for a role without that, 409 for a member of a project that is closed.
     * 403 where a person invites an operator, or into a project, and has not proved lately who it is.
     */
    async inviteByOperator(
      by: Principal,
      order: { email: string; isOperator?: boolean; projectId?: string; role?: Role }
    ) {
      const { email, isOperator = false, projectId, role } = order
      // Whoever accepts it may do everything, or is in that project, also when the session of the operator has ended.
      if (isOperator || projectId !== undefined) await people.checkLately(by)
      const draft = { isOperator, email, byOperator: true }
      if (projectId === undefined) {
        if (role !== undefined) throw invalid('/role', 'A role is one in a project: name that as well')
        return insert(by, { ...draft, project: HOME, role: null }, holdOperator(by))
      }
      const project = await projects.find(projectId)
      if (!project) throw notFound('Project', { param: '/projectId' })
      // With its first owner it is opened anew: nobody else could say who belongs to it.
      if (project.closedAt !== null && role === 'member')
        throw conflict('The project is closed: invite an owner', { code: 'project_closed' })
      const { environment, id } = project
      await transaction((trx) => memberStore.insertProject(trx, { id, owner: by.id, name: id, environment }))
      return insert(by, { ...draft, project: id, role: role ?? 'owner' }, holdOperator(by))
    },

    async listByOperator(page: Paging) {
      const { data, nextCursor } = await invitationStore.listOfPlatform(page)
      return { data: data.map(shown), nextCursor }
    },

    async withdrawByOperator(by: Principal, id: string): Promise<{ id: string; deleted: true }> {
      await transaction(async (trx) => {
        const removed = await invitationStore.removeOfPlatform(trx, id)
        if (!removed) throw notFound('Invitation')
        const details = { subject: id, owner: removed.owner, data: { id } }
        await facts.record(trx, 'identity.invitation_withdrawn', by, details)
      })
      return { id, deleted: true }
    },

    /** To a project, by one of its owners. */
    async invite(by: Principal, project: string, { email, role = 'member' }: { email: string; role?: Role }) {
      const { acting, person } = await projectService.enter(by, project, ['owner'])
      return insert(acting, { project, role, isOperator: false, byOperator: false, email }, (trx) =>
        projectService.hold(trx, project, person, ['owner'])
      )
    },

    async list(by: Principal, project: string, page: Paging) {
      await projectService.enter(by, project)
      const { data, nextCursor } = await invitationStore.list(project, page)
      return { data: data.map(shown), nextCursor }
    },

    async withdraw(by: Principal, project: string, id: string): Promise<{ id: string; deleted: true }> {
      const { acting, person } = await projectService.enter(by, project, ['owner'])
      await transaction(async (trx) => {
        if ((await invitationStore.remove(trx, project, id)) === 0) throw notFound('Invitation')
        const details = { subject: id, owner: person.id, data: { id } }
        await facts.record(trx, 'identity.invitation_withdrawn', acting, details)
      })
      return { id, deleted: true }
    },

    /** Makes the account, or asks for the password of the one that is there. 404 where the invitation is good for nothing. */
    async accept(code: string, { name, password }: { name: string; password: string }): Promise<PersonRow> {
      const { invitation, link, hasAccount } = await read(code)
      const { email, isOperator, role, project } = invitation
      if (!hasAccount) checkPassword(password, { email })
      const known = hasAccount ? await people.byPassword(email, password) : undefined
      if (hasAccount && !known)
        throw forbidden('That is not the password of the account', { code: 'wrong_password' })
      return transaction(async (trx) => {
        // Before the invitation, as those who remove both do.
        if (role !== null) await memberStore.lockOf(trx, project)
        if (!(await invitationStore.take(trx, link.id, link.secretHash))) throw notFound('Invitation')
        const person = known ?? (await people.create(trx, { email, name, password, isOperator }))
        if (known && isOperator) await personStore.update(trx, known.id, { isOperator })
        if (role !== null) await projectService.addMember(trx, person, project, role)
        return person
      })
    },

    /** Makes the account of who has proved elsewhere to have that address; undefined for who was not invited. */
    async acceptByAddress(email: string, name: string): Promise<PersonRow | undefined> {
      return transaction(async (trx) => {
        const open = await invitationStore.listOf(trx, email)
        for (const project of new Set(open.map(({ project }) => project).sort()))
          await memberStore.lockOf(trx, project)
        const taken = await invitationStore.takeAll(trx, open)
        if (taken.length === 0) return undefined
        const isOperator = taken.some((one) => one.isOperator)
        const person = await people.create(trx, { email, name, isOperator, isProved: true })
        for (const { role, project } of taken)
          if (role !== null) await projectService.addMember(trx, person, project, role)
        return person
      })
    }
  }
}

const shown = ({ id, project, email, role, isOperator, expiresAt, createdAt }: InvitationRow) => ({
  id,
  email,
  projectId: role === null ? null : project,
  role,
  isOperator,
  expiresAt,
  createdAt
})
