import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, lockName, notFound, typeOfId } from 'agent-platform'
import { HOME } from '../home.ts'
import type { AccountRow, AccountStore } from '../stores/accounts.ts'
import type { PasskeyStore } from '../stores/passkeys.ts'
import type { PasswordResetStore } from '../stores/password-resets.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'
import type { Sessions } from './sessions.ts'

export type Ways = ReturnType<typeof createWays>

interface Deps extends Pick<Kernel, 'platform' | 'transaction' | 'facts'> {
  people: People
  sessions: Sessions
  personStore: PersonStore
  passkeyStore: PasskeyStore
  accountStore: AccountStore
  passwordResetStore: PasswordResetStore
}
/** No mailbox is there, by RFC 2606. */
const RELEASED = '@released.invalid'
export const isReleased = ({ email }: Pick<PersonRow, 'email'>): boolean => email.endsWith(RELEASED)
/** Browsers take passkeys for the names of hosts alone. */
export const hasPasskeys = (baseUrl: string): boolean => !/^[\d.]+$|:/.test(new URL(baseUrl).hostname)

/** How a person signs in: by a password, by passkeys, by accounts elsewhere. It changes that itself, and keeps one. */
export function createWays(deps: Deps) {
  const { platform, transaction, facts, people, sessions } = deps
  const { personStore, passkeyStore, accountStore, passwordResetStore } = deps

  /** Does it, unless the person could not sign in any more: 409 `last_way`. One after another, so that two do not take the last two. */
  async function keepingOne<T>(trx: Trx, id: string, work: () => Promise<T>): Promise<T> {
    await lockName(trx, 'identity.ways', id)
    const done = await work()
    const person = await personStore.findHeld(trx, id)
    const keys = hasPasskeys(platform.baseUrl) ? await passkeyStore.count(trx, id) : 0
    const left = keys + (await accountStore.count(trx, id))
    // Who is disabled does not sign in anyway.
    if (person?.passwordHash === null && person.disabledAt === null && left === 0)
      throw conflict('Nobody could sign in to the account any more: add another way first', {
        code: 'last_way'
      })
    return done
  }

  async function accountOf(id: string): Promise<AccountRow> {
    const found = typeOfId(id) === 'account' ? await accountStore.findById(id) : undefined
    if (!found) throw notFound('Account')
    return found
  }

  /** Signing in there does not bring it back by itself: the address has to be proved anew. */
  async function unlink(by: Principal, { id, owner, issuer }: AccountRow) {
    await transaction(async (trx) => {
      await keepingOne(trx, owner, async () => {
        if ((await accountStore.remove(trx, id)) === 0) throw notFound('Account')
        await personStore.update(trx, owner, { addressProvedAt: null })
      })
      const details = { subject: id, owner, data: { id, personId: owner, issuer } }
      await facts.record(trx, 'identity.account_unlinked', by, details)
    })
    return { id, deleted: true } as const
  }

  async function list(owner: string, page: Paging) {
    const { data, nextCursor } = await accountStore.list(owner, page)
    return {
      data: data.map(({ id, issuer, subject, createdAt }) => ({ id, issuer, subject, createdAt })),
      nextCursor
    }
  }

  return {
    keepingOne,

    /** The first, or another one: all else that the person has ends, but for the browser that it is in. */
    async changePassword(by: Principal, password: string): Promise<PersonRow> {
      const { id, email } = await people.confirmed(by)
      const { session } = await people.sessionOf(by)
      checkPassword(password, { email })
      const passwordHash = await hashPassword(password)
      const changed = await transaction(async (trx) => {
        const row = await personStore.update(trx, id, { passwordHash })
        await passwordResetStore.removeOf(trx, id)
        const details = { subject: id, owner: id, data: { id, byReset: false } }
        await facts.record(trx, 'identity.password_changed', principalOf({ id }, HOME), details)
        return row
      })
      await sessions.endOthers(id, session)
      return changed ?? people.find(id)
    },

    async listAccounts(by: Principal, page: Paging) {
      const { id } = await people.inBrowser(by)
      return list(id, page)
    },

    /** 404 where it is none, 403 where it is another person's. */
    async unlinkAccount(by: Principal, id: string) {
      const person = await people.inBrowser(by)
      const account = await accountOf(id)
      if (account.owner !== person.id)
        throw forbidden('You do not have access to this account', { code: 'not_owner' })
      await people.confirmed(by)
      return unlink(principalOf(person, HOME), account)
    },

    /** For operators: of any person. */
    async listAccountsOf(personId: string, page: Paging) {
      const { id } = await people.find(personId)
      return list(id, page)
    },
    async unlinkAccountOf(by: Principal, personId: string, id: string) {
      const person = await people.find(personId)
      const account = await accountOf(id)
      if (account.owner !== person.id) throw notFound('Account')
      return unlink(by, account)
    },

    /**
     * The address is free for another person, who may be invited by it. The password, which goes with it, is good for nothing any more;
     * the person keeps what else it signs in by. 409 `last_way` where that is nothing and it is not disabled.
     */
    async releaseAddress(by: Principal, personId: string): Promise<PersonRow> {
      const { id, email } = await people.find(personId)
      if (isReleased({ email })) throw conflict('The address is released already', { code: 'released' })
      const changed = await transaction(async (trx) => {
        const row = await keepingOne(trx, id, () =>
          personStore.update(trx, id, {
            email: `${id}${RELEASED}`,
            passwordHash: null,
            addressProvedAt: null
          })
        )
        await passwordResetStore.removeOf(trx, id)
        await facts.record(trx, 'identity.address_released', by, { subject: id, owner: id, data: { id } })
        return row
      })
      return changed ?? people.find(id)
    }
  }
}
