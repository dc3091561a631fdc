import type { AgentCard } from '@a2a-js/sdk'
import { canonicalizeAgentCard } from '@a2a-js/sdk'
import { upstreamFailed } from 'agent-platform'
import type { JWK } from 'jose'
import { decodeProtectedHeader, flattenedVerify } from 'jose'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { KnownCard } from '../protocol/remote-card.ts'
import { knownCard } from '../protocol/remote-card.ts'
import type { RemoteAgent } from '../schemas/remotes.ts'

export type RemoteCards = ReturnType<typeof createRemoteCards>

const CARD_BYTES = 524_288
const KEYS_BYTES = 65_536
const TIMEOUT_MS = 10_000
const MOST_SIGNATURES = 5

interface Signature {
  readonly protected: string
  readonly signature: string
}

/** Cards of agents elsewhere: they say what they like, so little is believed. */
export function createRemoteCards({ outgoing }: { outgoing: Outgoing }) {
  /** 400 for an address that may not be asked; 502 and 504 where there is no card, or one that is of no use. */
  async function read(cardUrl: string): Promise<KnownCard & Pick<RemoteAgent, 'signature'>> {
    const at = outgoing.check(cardUrl, '/cardUrl')
    const text = await fetched(at, CARD_BYTES)
    const card = parsed(text, at)
    const known = knownCard(card)
    if (typeof known === 'string') throw useless(at, known)
    const endpoint = endpointOf(known.url, at)
    const signature = await checked(card as AgentCard, [at.origin, endpoint.origin], at)
    return { ...known, url: endpoint.href, signature }
  }

  async function fetched(url: URL, maxBytes: number): Promise<string> {
    const headers = { accept: 'application/json', 'a2a-version': '1.0' }
    const reply = await outgoing.fetch(url, { headers, maxBytes, timeoutMs: TIMEOUT_MS })
    if (reply.ok) return reply.text()
    await reply.body?.cancel()
    throw useless(url, `${url.host} answered ${reply.status}`)
  }

  /** What it is sent, keys included, must not go in the clear when its card did not come so. */
  function endpointOf(address: string, card: URL): URL {
    const url = URL.canParse(address, card.href) ? new URL(address, card.href) : undefined
    if (!url || (card.protocol === 'https:' && url.protocol !== 'https:'))
      throw useless(card, 'Its address is none, or is not encrypted as the card is')
    return outgoing.check(url.href, '/cardUrl')
  }

  /** A signature that is there has to hold: by a key that the host of the card, or of the agent, publishes. */
  async function checked(
    card: AgentCard,
    origins: readonly string[],
    at: URL
  ): Promise<RemoteAgent['signature']> {
    const signatures: readonly unknown[] = Array.isArray(card.signatures) ? card.signatures : []
    if (signatures.length === 0) return 'none'
    for (const signature of signatures.slice(0, MOST_SIGNATURES))
      if (await holds(card, signature as Signature, origins)) return 'verified'
    throw useless(at, 'Its signature does not hold', 'signature_invalid')
  }

  async function holds(card: AgentCard, it: Signature, origins: readonly string[]): Promise<boolean> {
    try {
      const { kid, jku } = decodeProtectedHeader(it)
      const url = URL.canParse(String(jku)) ? new URL(String(jku)) : undefined
      if (!url || !origins.includes(url.origin)) return false
      const { keys } = JSON.parse(await fetched(url, KEYS_BYTES)) as { keys: readonly JWK[] }
      const key = keys.find((one) => one.kid === kid)
      const payload = Buffer.from(canonicalizeAgentCard(card)).toString('base64url')
      const jws = { payload, protected: it.protected, signature: it.signature }
      if (key) await flattenedVerify(jws, key, { algorithms: ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'] })
      return key !== undefined
    } catch {
      return false
    }
  }

  return { read }
}

const useless = (at: URL, why: string, code = 'card_unusable') =>
  upstreamFailed(`The card at ${at.host} cannot be used. ${why}`, { code, cause: null })

function parsed(text: string, at: URL): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw useless(at, 'It is no JSON')
  }
}
