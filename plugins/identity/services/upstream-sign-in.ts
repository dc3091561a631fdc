import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Upstream, UpstreamAccount } from '../contract.ts'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { AccountStore } from '../stores/accounts.ts'
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
  personStore: PersonStore
  people: People
  invitations: Invitations
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,189}$/

/** Signing in by providers elsewhere, and who of their people is let in. */
export function createUpstreamSignIn(deps: Deps) {
  const { platform, points, transaction, facts, log, settings } = deps
  const { accountStore, personStore, people, invitations } = deps
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

  /**
   * Whose that account is: of the person that has it, else of the one with its address, else of one who is invited or welcome. The
   * address counts where the provider says that it was verified.
   */
  async function personOf({ issuer, subject, email, name, isWelcome }: UpstreamAccount) {
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
    return transaction(async (trx) => {
      const person = found ?? (await people.create(trx, { email, name: called, password: undefined }))
      const id = newId('account')
      if (person.disabledAt !== null) return person
      if (!(await accountStore.insert(trx, { id, owner: person.id, issuer, subject }))) return undefined
      const details = { subject: id, owner: person.id, data: { id, personId: person.id, issuer } }
      await facts.record(trx, 'identity.account_linked', principalOf(person, HOME), details)
      return person
    })
  }

  return {
    list: () => list().map(({ key, name }) => ({ key, name })),

    /** Where the browser goes; undefined where there is no such provider, or it cannot be reached. */
    async begin(key: string, secret: string): Promise<string | undefined> {
      const found = list().find((one) => one.key === key)
      return found?.begin({ secret, redirectUri: redirectUri(key) }).catch((err: Error) => {
        log.warn({ err, upstream: key }, 'A provider to sign in by cannot be reached')
        return undefined
      })
    },

    /** Who came back; undefined for who is not let in, and for everything that is not the end of that attempt. */
    async finish(key: string, secret: string, returned: URLSearchParams): Promise<PersonRow | undefined> {
      const found = list().find((one) => one.key === key)
      const account = await found
        ?.finish({ secret, redirectUri: redirectUri(key) }, returned)
        .catch((err: Error) => {
          log.info({ err, upstream: key }, 'A provider to sign in by named nobody')
          return undefined
        })
      const person = account && (await personOf(account))
      return person?.disabledAt === null ? person : undefined
    }
  }
}
