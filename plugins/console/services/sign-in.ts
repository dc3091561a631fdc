import type { Kernel, Principal } from 'agent-platform'
import type { Settings } from '../settings.ts'
import type { Links } from './links.ts'
import { invalidLink } from './links.ts'

export type SignIn = ReturnType<typeof createSignIn>

interface Deps extends Pick<Kernel, 'credentials'> {
  settings: Settings
  links: Links
}

/** The credential of a browser. */
export interface Session {
  readonly principal: Principal
  /** Its id. */
  readonly credential: string
  readonly token: string
  /** How long it is good. */
  readonly seconds: number
}

/** Sessions of browsers: minted credentials, which end with the one that they were made with. */
export function createSignIn({ credentials, settings, links }: Deps) {
  async function open(principal: Principal): Promise<Session> {
    const { id, token, expiresAt } = await credentials.mint(principal, null, settings.sessionHours * 3_600)
    return { principal, credential: id, token, seconds: (Date.parse(expiresAt) - Date.now()) / 1_000 }
  }

  return {
    open,

    /** By the code of a link; 401 `link_invalid` for one that is good for nothing. */
    async openByCode(code: string): Promise<Session> {
      const principal = await links.use(code)
      const session = await open(principal).catch((error) => {
        // What it was made with is revoked, or its principal disabled.
        throw error.kind === 'forbidden' ? invalidLink() : error
      })
      if (session.seconds <= 0) throw invalidLink()
      return session
    },

    close: (session: Principal): Promise<void> => credentials.revoke(session.credential)
  }
}
