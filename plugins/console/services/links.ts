import { createHash, randomBytes } from 'node:crypto'
import type { Greeted, GreetingLine, Kernel, Principal } from 'agent-platform'
import { newId, unauthenticated } from 'agent-platform'
import type { LinkStore } from '../store.ts'

export type Links = ReturnType<typeof createLinks>

interface Deps extends Pick<Kernel, 'platform' | 'limits'> {
  linkStore: LinkStore
}

const MINUTES = 10
/** Of one link: no caller who does not know its id can use them up. */
const GUESSES = { most: 5, seconds: MINUTES * 60 }
const CODE = /^(link_[0-9a-z]{26})\.([\w-]{43})$/

/** Authentication is switched off: the one user is signed in everywhere. */
export const isLocal = ({ credential }: Principal): boolean => credential === 'local'

/** Links that sign in once, as the principal that made them, for as long as the credential is good with which they were made. */
export function createLinks({ platform, limits, linkStore }: Deps) {
  async function create(by: Principal, baseUrl = platform.baseUrl) {
    if (isLocal(by)) return { url: `${baseUrl}/console`, expiresAt: null }
    const id = newId('link')
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(Date.now() + MINUTES * 60_000)
    const { project, owner } = by
    const principal = { ...by, scopes: [...by.scopes] }
    await linkStore.insert({ id, project, owner, secretHash: hashOf(secret), principal, expiresAt })
    // A fragment reaches no server, and so none of its logs.
    return { url: `${baseUrl}/console/sign-in#code=${id}.${secret}`, expiresAt: expiresAt.toISOString() }
  }

  return {
    create,

    /**
     * Whom the code signs in; from then on it is good for nothing. 401 `link_invalid` where it is that already, 429 after five
     * wrong ones of a link.
     */
    async use(code: string): Promise<Principal> {
      const [, id = '', secret = ''] = CODE.exec(code) ?? []
      if (!id) throw invalidLink()
      const takeBack = await limits.guess('code', id, GUESSES)
      const stored = await linkStore.take(id, hashOf(secret))
      if (!stored) throw invalidLink()
      await takeBack()
      return { ...stored, scopes: new Set(stored.scopes) }
    },

    /** A line with a link where a person at the terminal alone reads it, else without. */
    async greet({ by, url, isTerminal }: Greeted): Promise<readonly GreetingLine[]> {
      const link = isTerminal ? await create(by, url) : { url: `${url}/console` }
      return [{ label: 'Console', text: link.url }]
    }
  }
}

export const invalidLink = () => unauthenticated('The link was used, has expired, or is none', 'link_invalid')

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
