import { createHmac } from 'node:crypto'
import type { Kernel, Principal } from 'agent-platform'
import { canonicalJson, invalid, notFound, tooLarge, typeOfId } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { Scope, Trace, TraceStore } from '../stores/traces.ts'
import { inclusionProof, leafHash, merkleRoot } from './merkle.ts'
import type { SigningKeys } from './signing-keys.ts'
import { sigstoreBundle, statementOf } from './statement.ts'

export type BundleService = ReturnType<typeof createBundleService>

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ProvenanceSettings
  runs: Runs
  sessions: Sessions
  traceStore: TraceStore
  signingKeys: SigningKeys
}

/** What runs were made of, signed, to be looked at elsewhere and without the platform. */
export function createBundleService(deps: Deps) {
  const { platform, settings, runs, sessions, traceStore, signingKeys } = deps

  /** The scope whose id a trace has, if the principal may read it. */
  async function scopeOf(by: Principal, traceId: string): Promise<Scope> {
    if (typeOfId(traceId) === 'session') {
      const { id } = await sessions.owned(by, traceId, 'read')
      return { type: 'session', id }
    }
    if (typeOfId(traceId) !== 'run') throw notFound('Trace')
    const { id } = await runs.find(by, traceId)
    return { type: 'run', id }
  }

  /** With all items, or with one and what proves that it is one of them. */
  async function read(by: Principal, traceId: string, index?: number) {
    const scope = await scopeOf(by, traceId)
    const count = await traceStore.count(by.project, scope)
    if (count === 0) throw notFound('Trace')
    if (count > settings.bundleItems)
      throw tooLarge(`A bundle has at most ${settings.bundleItems} items, and this one had ${count}`)
    const traces = await traceStore.listAll(by.project, scope)
    const items = traces.flatMap(saltedOf).map((item, n) => ({ n, ...item }))
    if (index !== undefined && index >= items.length)
      throw invalid('item', `There are ${items.length} items, counted from 0`)
    const leaves = items.map((item) => leafHash(canonicalJson(item)))
    const root = merkleRoot(leaves).toString('hex')
    const about = { scope, issuer: platform.baseUrl, traces, count: items.length, root }
    const bundle = await signingKeys.sign(by.project, (keyId, sign) =>
      sigstoreBundle(statementOf({ ...about, keyId }), keyId, sign)
    )
    if (index === undefined) return { bundle, items }
    const proof = inclusionProof(leaves, index).map((node) => node.toString('hex'))
    return { bundle, items: items.slice(index, index + 1), proofs: [proof] }
  }

  return { read }
}

/** Who sees a digest of an item that is not shown cannot try out what it might be. */
const saltedOf = ({ id, salt, items }: Trace) =>
  items.map((item, index) => ({
    runId: id,
    ...item,
    salt: createHmac('sha256', Buffer.from(salt, 'hex')).update(String(index)).digest('base64url')
  }))
