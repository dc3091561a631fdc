import type { Kernel, Principal } from 'agent-platform'
import { invalid, notFound, typeOfId } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import { shownAnchor } from '../anchors/schemas.ts'
import type { AnchorStore } from '../stores/anchors.ts'
import type { Scope } from '../stores/traces.ts'
import type { RunsOf, Traces } from '../traces.ts'
import { inclusionProof } from './merkle.ts'
import type { SigningKeys } from './signing-keys.ts'
import { sigstoreBundle, statementOf } from './statement.ts'
import { treeOf } from './tree.ts'

export type BundleService = ReturnType<typeof createBundleService>

interface Deps extends Pick<Kernel, 'platform'> {
  runs: Runs
  sessions: Sessions
  traces: Traces
  signingKeys: SigningKeys
  anchorStore: AnchorStore
}

/** What runs were made of, signed, to be looked at elsewhere and without the platform. */
export function createBundleService(deps: Deps) {
  const { platform, runs, sessions, signingKeys, anchorStore } = deps

  /** The scope whose id a trace has, if the principal may read it, and its runs. */
  async function scopeOf(by: Principal, traceId: string): Promise<{ scope: Scope; of: RunsOf }> {
    if (typeOfId(traceId) === 'session') {
      const { id, agentId } = await sessions.owned(by, traceId, 'read')
      return { scope: { type: 'session', id }, of: { sessionId: id, agentId } }
    }
    if (typeOfId(traceId) !== 'run') throw notFound('Trace')
    const { id } = await runs.find(by, traceId)
    return { scope: { type: 'run', id }, of: { runId: id } }
  }

  /** Its items and their tree, as they are now. */
  async function contentOf(by: Principal, traceId: string) {
    const { scope, of } = await scopeOf(by, traceId)
    const traces = await deps.traces.all(by.project, of)
    const [first] = traces
    if (!first) throw notFound('Trace')
    return { scope, traces, ...treeOf(traces), sessionId: first.sessionId }
  }

  /** What a bundle commits to. */
  async function commitment(by: Principal, traceId: string) {
    const { root, sessionId } = await contentOf(by, traceId)
    return { root, sessionId }
  }

  /** With all items, or with one and what proves that it is one of them; and where its root stands on a chain, that. */
  async function read(by: Principal, traceId: string, index?: number) {
    const { scope, traces, items, leaves, root } = await contentOf(by, traceId)
    if (index !== undefined && index >= items.length)
      throw invalid('item', `There are ${items.length} items, counted from 0`)
    const about = { scope, issuer: platform.baseUrl, traces, count: items.length, root }
    const bundle = await signingKeys.sign(by.project, (keyId, sign) =>
      sigstoreBundle(statementOf({ ...about, keyId }), keyId, sign)
    )
    const anchored = await anchorStore.find({ project: by.project, traceId, root })
    const anchor = anchored?.status === 'confirmed' ? { anchor: shownAnchor(anchored) } : {}
    if (index === undefined) return { bundle, items, ...anchor }
    const proof = inclusionProof(leaves, index).map((node) => node.toString('hex'))
    return { bundle, items: items.slice(index, index + 1), proofs: [proof], ...anchor }
  }

  return { commitment, read }
}
