import type { Kernel, Principal } from 'agent-platform'
import { forbidden, invalid } from 'agent-platform'
import type { Settings } from '../settings.ts'
import type { SessionStore } from '../stores/sessions.ts'
import type { Passkeys } from './passkeys.ts'
import type { People } from './people.ts'

export type Confirmations = ReturnType<typeof createConfirmations>

interface Deps extends Pick<Kernel, 'limits'> {
  settings: Settings
  people: People
  passkeys: Passkeys
  sessionStore: SessionStore
}

/** A person whose browser has been signed in for long proves once more who it is, before it changes how it signs in. */
export function createConfirmations({ limits, settings, people, passkeys, sessionStore }: Deps) {
  const purposeOf = (by: Principal): string => `confirm ${by.id} ${by.credential}`

  return {
    /** What a browser needs to confirm by a passkey; the one before is void. 503 where there are none. */
    async begin(by: Principal): Promise<object> {
      await people.sessionOf(by)
      passkeys.checkAvailable()
      return (await passkeys.challenge(purposeOf(by))) as object
    },

    /** By either; 403 for what is not this person's, 429 after too many. */
    async confirm(by: Principal, { password, response }: { password?: string; response?: object }) {
      const { person, session } = await people.sessionOf(by)
      if ((password === undefined) === (response === undefined))
        throw invalid('/password', 'Either a password or what a passkey says is required')
      await limits.count('sign-ins', person.id, settings.signInsPerMinute)
      const found =
        password === undefined
          ? await passkeys.signIn(purposeOf(by), JSON.stringify(response))
          : await people.byPassword(person.email, password)
      if (found?.id !== person.id)
        throw password === undefined
          ? forbidden('That is no passkey of the account, or it took too long', { code: 'wrong_passkey' })
          : forbidden('That is not the password of the account', { code: 'wrong_password' })
      const now = new Date()
      await sessionStore.updateConfirmed(session.id, now)
      return { confirmedUntil: people.confirmedUntil(now) }
    }
  }
}
