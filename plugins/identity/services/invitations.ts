import { createHash, randomBytes } from 'node:crypto'
import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { forbidden, newId, notFound } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { InvitationRow, InvitationStore } from '../stores/invitations.ts'
import type { MemberStore, Role } from '../stores/members.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
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
const CODE = /^(invitation_[0-9a-z]{26})\.([\w-]{43})$/
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Links by which people come to the platform, or to a project: good once, for the address that was invited. */
export function createInvitations(deps: Deps) {
  const { platform, transaction, facts, settings, invitationStore, personStore, memberStore } = deps
  const { people, projectService, projects } = deps

  interface Draft extends Pick<InvitationRow, 'project' | 'role' | 'isOperator'> {
    readonly email: string
  }
  /** `hold` says whether it may still, in the transaction. */
  async function insert(by: Principal, { email, ...draft }: Draft, hold?: (trx: Trx) => Promise<void>) {
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(Date.now() + settings.invitationDays * DAY_MS).toISOString()
    const row = { ...draft, id: newId('invitation'), owner: by.id, email: email.toLowerCase() }
    const made = await transaction(async (trx) => {
      await hold?.(trx)
      const made = await invitationStore.insert(trx, { ...row, secretHash: hashOf(secret), expiresAt })
      const data = { id: row.id, email: row.email, role: row.role }
      await facts.record(trx, 'identity.person_invited', by, { subject: row.id, owner: by.id, data })
      return made
    })
    // A path of pages of this server alone: no page there loads anything from elsewhere, nor names itself in a referrer.
    return { ...shown(made), url: `${platform.baseUrl}/identity/invitations/${row.id}.${secret}` }
  }

  /** An operator is a person that is not disabled, or a key, of which its revocation is enough. */
  const holdOperator =
    ({ id }: Principal) =>
    async (trx: Trx): Promise<void> => {
      if ((await personStore.findHeld(trx, id))?.disabledAt)
        throw forbidden('That is for people who have signed in', { code: 'person_required' })
    }

  function parsed(code: string) {
    const [, id = '', secret = ''] = CODE.exec(code) ?? []
    return { id, secretHash: hashOf(secret) }
  }

  async function read(code: string): Promise<{ invitation: InvitationRow; hasAccount: boolean }> {
    const { id, secretHash } = parsed(code)
    const invitation = id ? await invitationStore.find(id, secretHash) : undefined
    if (!invitation) throw notFound('Invitation')
    return { invitation, hasAccount: (await personStore.findByEmail(invitation.email)) !== undefined }
  }

  return {
    read,

    /** To the platform, and as the owner of a project of the operator's where one is named. */
    async inviteByOperator(
      by: Principal,
      order: { email: string; isOperator?: boolean; projectId?: string }
    ) {
      const { email, isOperator = false, projectId } = order
      if (projectId === undefined)
        return insert(by, { project: HOME, role: null, isOperator, email }, holdOperator(by))
      const project = await projects.find(projectId)
      if (!project) throw notFound('Project', { param: '/projectId' })
      const { environment, id } = project
      await transaction((trx) => memberStore.insertProject(trx, { id, owner: by.id, name: id, environment }))
      return insert(by, { project: id, role: 'owner', isOperator, email }, holdOperator(by))
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
      return insert(acting, { project, role, isOperator: false, email }, (trx) =>
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
      const { invitation, hasAccount } = await read(code)
      const { email, isOperator, role, project } = invitation
      if (!hasAccount) checkPassword(password, { email })
      const known = hasAccount ? await people.byPassword(email, password) : undefined
      if (hasAccount && !known)
        throw forbidden('That is not the password of the account', { code: 'wrong_password' })
      const { id, secretHash } = parsed(code)
      return transaction(async (trx) => {
        // Before the invitation, as those who remove both do.
        if (role !== null) await memberStore.lockOf(trx, project)
        if (!(await invitationStore.take(trx, id, secretHash))) throw notFound('Invitation')
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

const shown = ({ id, email, role, isOperator, expiresAt, createdAt }: InvitationRow) => ({
  id,
  email,
  role,
  isOperator,
  expiresAt,
  createdAt
})
