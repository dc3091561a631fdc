import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Grant } from '../grants.ts'
import { attenuated } from './attenuation.ts'
import type { Chain } from './chain.ts'
import { isVerified, readChain } from './chain.ts'

const MOST_REMEMBERED = 1_000
type Believed = Pick<Chain, 'root' | 'blocks'>

/** Tokens that holders of API keys narrow by themselves. */
export function createAttenuatedTokens(findByRoot: (root: Buffer) => Promise<Grant | undefined>) {
  /** What tokens say whose signatures were good, which they stay: by digest, so that none lies in memory for it. */
  const verified = new LRUCache<string, Believed>({ max: MOST_REMEMBERED })

  /** Looked for in the record first: what no key derived costs no signature. */
  async function grantOf(token: string): Promise<Grant | undefined> {
    const digest = createHash('sha256').update(token).digest('base64url')
    const believed = verified.get(digest)
    const read = believed ? undefined : readChain(token)
    const chain = believed ?? read
    const grant = chain && (await findByRoot(chain.root))
    if (!chain || !grant) return undefined
    if (read) {
      if (!isVerified(read)) return undefined
      verified.set(digest, { root: read.root, blocks: read.blocks })
    }
    const principal = attenuated(grant.principal, chain.blocks)
    const endsAt = Math.min(
      grant.expiresAt ?? Number.POSITIVE_INFINITY,
      principal.attenuation?.endsAt ?? Number.POSITIVE_INFINITY
    )
    if (endsAt <= Date.now()) return undefined
    return { ...grant, principal, ...(Number.isFinite(endsAt) && { expiresAt: endsAt }) }
  }

  return {
    /** Who holds it; undefined where it is good for nothing. Asked of the record each time: its key may have been revoked. */
    resolve: grantOf
  }
}
