import type { Kernel, Trx } from 'agent-platform'
import { conflict, newId } from 'agent-platform'
import type { Upstream, UpstreamAccount } from '../contract.ts'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { Artifacts } from '../stores/artifacts.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import { upstreamIn } from '../upstream/configured.ts'
import { oauth2Upstream } from '../upstream/oauth2.ts'
import { openIdUpstream } from '../upstream/open-id.ts'
import type { Invitations } from './invitations.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'

export type UpstreamSignIn = ReturnType<typeof createUpstreamSignIn>

interface Deps extends Pick<Kernel, 'platform' | 'points' | 'transaction' | 'facts' | 'log'> {
  settings: Settings
  accountStore: AccountStore
  artifacts: Artifacts
  personStore: PersonStore
  people: People
  invitations: Invitations
}

/** How long a person has to sign in to its account, which is then linked. */
const SECONDS = 600
const purposeOf = (secret: string): string => `link ${secret}`
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,189}$/

/** Signing in by providers elsewhere, and who of their people is let in. */
export function createUpstreamSignIn(deps: Deps) {
  const { platform, points, transaction, facts, log, settings } = deps
  const { accountStore, artifacts, personStore, people, invitations } = deps
  const own = upstreamIn(settings.upstream).map((one) =>
    'issuer' in one
      ? openIdUpstream(one, { isProduction: platform.production })
      : oauth2Upstream(one, { isProduction: platform.production })
  )
  const list = (): readonly Upstream[] => [
    ...own,
    ...points.all('identity.upstream').map(({ value }) => value)
  ]
  const redirectUri = (key: string): string => `${platform.baseUrl}/identity/upstream/${key}/callback`

  /** False where that account is a person's already, or the person has another one of that issuer. */
  async function insert(trx: Trx, person: PersonRow, issuer: string, subject: string): Promise<boolean> {
    const id = newId('account')
    if (!(await accountStore.insert(trx, { id, owner: person.id, issuer, subject }))) return false
    const details = { subject: id, owner: person.id, data: { id, personId: person.id, issuer } }
    await facts.record(trx, 'identity.account_linked', principalOf(person, HOME), details)
    return true
  }

  /**
   * Whose that account is: of the person that has it, else of the one with its address, else of one who is invited or welcome. The
   * address counts where the provider says that it was verified, and for a person of whom a provider said so before: an
   * invitation may have been opened by the one who made it. 409 `account_unproved` for another, who may sign in and so `link` it;
   * 409 `account_other` where the person has another account there, since an address may be given to another person.
   */
  async function personOf({ issuer, subject, email, name, isWelcome }: UpstreamAccount, secret: string) {
    const known = await accountStore.find(issuer, subject)
    if (known) return personStore.find(known.owner)
    if (email === undefined || !ADDRESS.test(email)) return undefined
    const called =
      (name ?? email.split('@')[0] ?? '')
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 200) || email
    // Who is here already accepts invitations itself: nobody is put into a project of others unasked.
    const found = (await personStore.findByEmail(email)) ?? (await invitations.acceptByAddress(email, called))
    if (!found && !isWelcome) return undefined
    if (found && found.disabledAt !== null) return found
    if (found && (await accountStore.findOf(found.id, issuer)))
      throw conflict('Another account of that provider signs in here with this address', {
        code: 'account_other'
      })
    if (found && found.addressProvedAt === null) {
      await artifacts.keepChallenge(
        purposeOf(secret),
        JSON.stringify({ issuer, subject, email, owner: found.id }),
        SECONDS
      )
      throw conflict('There is an account with this address', { code: 'account_unproved' })
    }
    return transaction(async (trx) => {
      const person = found ?? (await people.create(trx, { email, name: called, isProved: true }))
      return (await insert(trx, person, issuer, subject)) ? person : undefined
    })
  }

  return {
    list: () => list().map(({ key, name }) => ({ key, name })),

    /** Where the browser goes; undefined where there is no such provider, or it cannot be reached. */
    async begin(key: string, secret: string, isFresh = false): Promise<string | undefined> {
      const found = list().find((one) => one.key === key)
      return found?.begin({ secret, redirectUri: redirectUri(key), isFresh }).catch((err: Error) => {
        log.warn({ err, upstream: key }, 'A provider to sign in by cannot be reached')
        return undefined
      })
    },

    /**
     * Who came back, and when it proved who it is there, where the provider says so; undefined for who is not let in, for who was to
     * be asked and was not, and for everything that is not the end of that attempt. 409 as above.
     */
    async finish(
      key: string,
      secret: string,
      returned: URLSearchParams,
      isFresh = false
    ): Promise<{ person: PersonRow; since: Date | undefined } | undefined> {
      const found = list().find((one) => one.key === key)
      const account = await found
        ?.finish({ secret, redirectUri: redirectUri(key) }, returned)
        .catch((err: Error) => {
          log.info({ err, upstream: key }, 'A provider to sign in by named nobody')
          return undefined
        })
      if (!account) return undefined
      const { authenticatedAt: since } = account
      if (isFresh && since && Date.now() - +since > SECONDS * 1_000) {
        log.info({ upstream: key }, 'A provider to sign in by did not ask the person anew')
        return undefined
      }
      const person = await personOf(account, secret)
      return person?.disabledAt === null ? { person, since } : undefined
    },

    /** Who has just signed in otherwise keeps the account with which that attempt ended, where it has the person's address. */
    async link(secret: string, is: { readonly id?: string; readonly email?: string }): Promise<void> {
      const kept = await artifacts.takeChallenge(purposeOf(secret))
      if (kept === undefined) return
      const { issuer, subject, email, owner } = JSON.parse(kept)
      const person = await personStore.find(owner)
      if (!person || person.disabledAt !== null || person.email !== email) return
      if (is.id !== person.id && is.email?.toLowerCase() !== person.email) return
      await transaction(async (trx) => {
        if (!(await insert(trx, person, issuer, subject))) return
        await personStore.update(trx, person.id, { addressProvedAt: new Date().toISOString() })
      })
    }
  }
}
