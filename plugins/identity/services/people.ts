import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, newId, notFound, typeOfId } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { Artifacts } from '../stores/artifacts.ts'
import type { InvitationStore } from '../stores/invitations.ts'
import type { MemberStore } from '../stores/members.ts'
import type { PasswordResetStore } from '../stores/password-resets.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import type { SessionRow, SessionStore } from '../stores/sessions.ts'
import { hashPassword, isPassword } from './passwords.ts'

export type People = ReturnType<typeof createPeople>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'limits' | 'projects'> {
  settings: Settings
  personStore: PersonStore
  sessionStore: SessionStore
  memberStore: MemberStore
  invitationStore: InvitationStore
  passwordResetStore: PasswordResetStore
  artifacts: Artifacts
}

/** In the tokens of the platform's own command line alone: those of applications manage no projects. */
export const MANAGING = 'projects:write'
/** Of one account, whoever guesses: enough for someone who forgot, and too few for a list. */
const GUESSES = { most: 10, seconds: 900 }

/** Who signs in, how, and whether still. */
export function createPeople({
  transaction,
  facts,
  limits,
  projects,
  settings,
  personStore,
  sessionStore,
  memberStore,
  invitationStore,
  passwordResetStore,
  artifacts
}: Deps) {
  const findOrNone = async (id: string): Promise<PersonRow | undefined> =>
    typeOfId(id) === 'person' ? personStore.find(id) : undefined

  async function find(id: string): Promise<PersonRow> {
    const found = await findOrNone(id)
    if (!found) throw notFound('Person')
    return found
  }

  /**
   * Who asks, as the person that signed in; 403 `person_required` where it is none: a key, which is of one project, does not
   * reach the others of the person who made it. 403 `scope_missing` for the token of an application, which would get members,
   * keys and so access that nobody agreed to.
   */
  async function of(by: Principal): Promise<PersonRow> {
    if (by.token !== undefined && !by.scopes.has(MANAGING))
      throw forbidden('Applications do not manage projects', { code: 'scope_missing' })
    const isKey = by.token === undefined && !(await sessionStore.findByCredential(by.credential))
    const found = by.type === 'user' && !isKey ? await personStore.find(by.id) : undefined
    if (!found || found.disabledAt !== null)
      throw forbidden('That is for people who have signed in', { code: 'person_required' })
    return found
  }

  /**
   * The same for what decides how the person signs in: 403 `browser_required` also for the access tokens of applications, which
   * would stay in by it.
   */
  async function sessionOf(by: Principal): Promise<{ person: PersonRow; session: SessionRow }> {
    const person = await of(by)
    const session = by.token === undefined ? await sessionStore.findByCredential(by.credential) : undefined
    if (!session)
      throw forbidden('That is for people who signed in to the console', { code: 'browser_required' })
    return { person, session }
  }
  const confirmedUntil = (since: Date): Date => new Date(+since + settings.confirmationMinutes * 60_000)
  const isLately = (since: string | number | null): boolean =>
    since !== null && confirmedUntil(new Date(since)) > new Date()

  return {
    find,
    list: (page: Paging) => personStore.list(page),

    of,
    sessionOf,
    inBrowser: async (by: Principal): Promise<PersonRow> => (await sessionOf(by)).person,

    /** Until when a person who proved then who it is may change how it signs in. ISO 8601. */
    confirmedUntil: (since: Date): string => confirmedUntil(since).toISOString(),
    /** The same person; 403 `confirmation_required` where it has not proved lately who it is. */
    async confirmed(by: Principal): Promise<PersonRow> {
      const { person, session } = await sessionOf(by)
      if (!isLately(session.authenticatedAt)) throw unconfirmed()
      return person
    },

    /**
     * Nothing, but for a person that signed in here and makes what outlasts that, a key: 403 `confirmation_required` where it has not
     * proved lately who it is. A token says when it did (`auth_time`). Keys and services are as they were made.
     */
    async checkLately(by: Principal): Promise<void> {
      if (by.type !== 'user') return
      const session = by.token === undefined ? await sessionStore.findByCredential(by.credential) : undefined
      // Tokens of an issuer elsewhere name nobody here.
      if (by.token === undefined ? !session : !(await findOrNone(by.id))) return
      const since = session ? session.authenticatedAt : (by.token?.authenticatedAt ?? null)
      if (!isLately(since)) throw unconfirmed()
    },

    /** 409 where someone has that address. Without a password it signs in by other ways. `isProved`: the mailbox is the person's. */
    async create(
      trx: Trx,
      {
        email,
        name,
        password,
        isOperator = false,
        isProved = false
      }: Readonly<Record<'email' | 'name', string>> & {
        password?: string | undefined
        isOperator?: boolean
        isProved?: boolean
      }
    ): Promise<PersonRow> {
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const made = await personStore.insert(trx, {
        id: newId('person'),
        email,
        name,
        passwordHash,
        isOperator,
        addressProvedAt: isProved ? new Date().toISOString() : null
      })
      if (!made) throw conflict('Someone has that address already', { code: 'email_taken' })
      const data = { id: made.id, email: made.email, name }
      const by = principalOf(made, HOME)
      await facts.record(trx, 'identity.person_created', by, { subject: made.id, owner: made.id, data })
      return made
    },

    /**
     * Who has that address and password; undefined for everything else, after the same time. 429 after ten wrong ones for an
     * address, whether someone has it or not.
     */
    async byPassword(email: string, password: string): Promise<PersonRow | undefined> {
      const takeBack = await limits.guess('password', email.toLowerCase(), GUESSES)
      const found = await personStore.findByEmail(email)
      const isRight = await isPassword(password, found?.passwordHash)
      if (!found || !isRight || found.disabledAt !== null) return undefined
      await takeBack()
      return found
    },

    /**
     * Ends all that a person has: sessions and refresh tokens, access tokens and keys in every project, also those that it made
     * for services, open streams, what goes on in the background, and the invitations that it made.
     */
    async disable(
      by: Principal,
      id: string,
      {
        endAccess,
        revokeKeysOf
      }: {
        endAccess(trx: Trx, project: string, id: string): Promise<void>
        revokeKeysOf(trx: Trx, project: string, id: string, by: Principal): Promise<void>
      }
    ): Promise<PersonRow> {
      await find(id)
      const disabled = await transaction(async (trx) => {
        // Waits for what the person does at this moment, and is seen by what it does next.
        const row = await personStore.update(trx, id, { disabledAt: new Date().toISOString() })
        for (const project of await memberStore.listIdsOf(trx, id)) {
          await endAccess(trx, project, id)
          await revokeKeysOf(trx, project, id, by)
        }
        await invitationStore.removeOf(trx, id)
        await passwordResetStore.removeOf(trx, id)
        await sessionStore.removeOf(id, '', trx)
        await facts.record(trx, 'identity.person_disabled', by, { subject: id, owner: id, data: { id } })
        return row
      })
      await artifacts.removeOf(id)
      return disabled ?? find(id)
    },

    /** Lets a person sign in again; what was ended stays so. */
    async enable(by: Principal, id: string): Promise<PersonRow> {
      await find(id)
      const enabled = await transaction(async (trx) => {
        const row = await personStore.update(trx, id, { disabledAt: null })
        for (const project of await memberStore.listIdsOf(trx, id)) await projects.admit(trx, project, id)
        await facts.record(trx, 'identity.person_enabled', by, { subject: id, owner: id, data: { id } })
        return row
      })
      return enabled ?? find(id)
    }
  }
}

const unconfirmed = () => forbidden('Confirm first that it is you', { code: 'confirmation_required' })

/** A person as it acts in a project, in what is recorded. */
export const principalOf = ({ id }: Pick<PersonRow, 'id'>, project: string): Principal => ({
  id,
  type: 'user',
  project,
  owner: id,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})
