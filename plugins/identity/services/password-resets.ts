import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { PasswordResetStore } from '../stores/password-resets.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import { newLink, readLink } from './one-time-links.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'
import type { Sessions } from './sessions.ts'
import { isReleased } from './ways.ts'

export type PasswordResets = ReturnType<typeof createPasswordResets>

interface Deps extends Pick<Kernel, 'platform' | 'transaction' | 'facts'> {
  settings: Settings
  people: People
  sessions: Sessions
  personStore: PersonStore
  passwordResetStore: PasswordResetStore
}
const LINK = 'reset'
const NOWHERE = { id: '', browser: null }

/** Links by which a person that cannot sign in sets a new password: made by an operator, good once and for a short time. */
export function createPasswordResets(deps: Deps) {
  const { platform, transaction, facts, settings, people, sessions, personStore, passwordResetStore } = deps

  /** 404 for a link that was used, replaced or taken back, has expired, or is of a person that is disabled. */
  async function read(
    code: string
  ): Promise<{ person: PersonRow; link: { id: string; secretHash: Buffer } }> {
    const link = readLink(LINK, code)
    const reset = link && (await passwordResetStore.find(link.id, link.secretHash))
    const person = reset && (await personStore.find(reset.owner))
    if (!link || !person || person.disabledAt !== null) throw notFound('Link')
    return { person, link }
  }

  return {
    read,

    /**
     * The link before is good for nothing any more. 409 for who is disabled or has no address: that password would open nothing.
     * An operator that is a person has proved lately who it is, as the link lets whoever opens it in.
     */
    async create(by: Principal, personId: string) {
      const { id: owner } = await people.find(personId)
      await people.checkLately(by)
      const { code, ...link } = newLink(LINK)
      const expiresAt = new Date(Date.now() + settings.resetMinutes * 60_000).toISOString()
      const made = await transaction(async (trx) => {
        // Whoever disables it waits for this, or is seen.
        const person = await personStore.findHeld(trx, owner)
        if (!person || person.disabledAt !== null)
          throw conflict('The person is disabled: enable it first', { code: 'person_disabled' })
        if (isReleased(person))
          throw conflict('The address was released, and the person signs in by other ways', {
            code: 'released'
          })
        const made = await passwordResetStore.replace(trx, { ...link, owner, expiresAt })
        const details = { subject: made.id, owner, data: { id: made.id, personId: owner } }
        await facts.record(trx, 'identity.password_reset_created', by, details)
        return made
      })
      const { id, createdAt } = made
      // A path of pages of this server alone, as that of invitations is.
      return { id, personId: owner, expiresAt, createdAt, url: `${platform.baseUrl}/identity/resets/${code}` }
    },

    /** 404 where there is none that is still good. */
    async withdraw(by: Principal, personId: string): Promise<{ id: string; deleted: true }> {
      const { id: owner } = await people.find(personId)
      return transaction(async (trx) => {
        const id = await passwordResetStore.removeOf(trx, owner)
        if (id === undefined) throw notFound('Password reset')
        const details = { subject: id, owner, data: { id, personId: owner } }
        await facts.record(trx, 'identity.password_reset_withdrawn', by, details)
        return { id, deleted: true } as const
      })
    },

    /** Sets the password, and signs the person out everywhere. 400 for what is no password: the link stays good then. */
    async use(code: string, password: string): Promise<void> {
      const { person, link } = await read(code)
      const { id, email } = person
      checkPassword(password, { email })
      const passwordHash = await hashPassword(password)
      // Before as well: should this process end in between, nobody is left signed in by the password before.
      await sessions.endOthers(id, NOWHERE)
      await transaction(async (trx) => {
        const taken = await passwordResetStore.take(trx, link.id, link.secretHash)
        const held = await personStore.findHeld(trx, id)
        if (!taken || !held || held.disabledAt !== null) throw notFound('Link')
        await personStore.update(trx, id, { passwordHash })
        const by = principalOf(person, HOME)
        const details = { subject: id, owner: id, data: { id, byReset: true } }
        await facts.record(trx, 'identity.password_changed', by, details)
      })
      await sessions.endOthers(id, NOWHERE)
    }
  }
}
