import type { Kernel, Principal } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Wallets } from '../../wallets/contract.ts'
import { inclusionProof, leafHash, merkleRoot } from '../bundles/merkle.ts'
import type { BundleService } from '../bundles/service.ts'
import type { AnchorRow, AnchorStore } from '../stores/anchors.ts'
import type { AnchorOrders } from './orders.ts'
import type { Anchor } from './schemas.ts'
import { shownAnchor } from './schemas.ts'

export type Anchoring = ReturnType<typeof createAnchoring>

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  jobs: Jobs
  sessions: Sessions
  wallets: Wallets | undefined
  bundleService: BundleService
  anchorStore: AnchorStore
  anchorOrders: AnchorOrders
}

/** How often it is asked whether a transaction is confirmed. */
const POLL_SECONDS = 2

/**
 * Writes roots of bundles to a chain, many at a time by the root of a tree over them. The tree is written down before it is anchored, and
 * the same root is anchored once, so that after a crash no second transaction is made.
 */
export function createAnchoring(deps: Deps) {
  const { transaction, log, jobs, sessions, bundleService, anchorStore, anchorOrders } = deps

  async function anchor(by: Principal, traceId: string): Promise<Anchor> {
    const { sessionId, root } = await bundleService.commitment(by, traceId)
    const { project, owner } = await sessions.owned(by, sessionId, 'change')
    if (!deps.wallets)
      throw unavailable('Anchoring needs the pack wallets, which is not installed or off', {
        code: 'capability_missing'
      })
    const of = { project, traceId, root }
    const before = await anchorStore.find(of)
    if (before) return shownAnchor(before)
    await deps.wallets.checkAnchor()
    await transaction((trx) => anchorOrders.add(trx, [{ ...of, owner }]))
    return shownAnchor((await anchorStore.find(of)) as AnchorRow)
  }

  async function work(): Promise<void> {
    const { wallets } = deps
    if (!wallets) return
    await gather()
    const open = await anchorStore.listOpen()
    let isOpen = false
    for (const root of open)
      try {
        const { status, hash: transaction, from: _, ...place } = await wallets.anchor(`0x${root}`)
        if (status === 'confirmed') await anchorStore.settle(root, { ...place, transaction })
        else isOpen = true
      } catch (error) {
        const isMeant = error instanceof Error && 'kind' in error
        log.warn({ err: error }, 'provenance was not anchored')
        await anchorStore.updateFailed(root, isMeant ? error.message : 'It failed, and is tried again')
      }
    if (isOpen) await jobs.send('provenance.anchor', {}, { key: 'poll', inSeconds: POLL_SECONDS })
  }

  /** What waits becomes a tree, with the proof of each. */
  const gather = () =>
    transaction(async (trx) => {
      const waiting = await anchorStore.lock(trx)
      if (waiting.length === 0) return
      const leaves = waiting.map(({ root }) => leafHash(root))
      const root = merkleRoot(leaves).toString('hex')
      for (const [index, row] of waiting.entries()) {
        const proof = inclusionProof(leaves, index).map((node) => node.toString('hex'))
        await anchorStore.updateBatch(trx, row, { root, index, size: leaves.length, proof })
      }
    })

  return { anchor, work }
}
