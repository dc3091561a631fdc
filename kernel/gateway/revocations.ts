import type { Trx } from '../data/transaction.ts'

/** Wake-ups to every instance; hearers here are called before `send` returns. */
export interface Signals {
  send(topic: string, data?: unknown): void
  on(topic: string, hear: (data: unknown) => void): Disposable
}

/** One credential, or all of a principal. */
type Of = { id: string } | { project: string; principal: string }

const TOPIC = 'credentials.revoked'
/** So many ids fit into one signal. */
const BATCH = 100

/** Revokes credentials, and tells so here at once and elsewhere soon. */
export const createRevocations = ({
  signals,
  transaction,
  revokeTree
}: {
  signals: Signals
  transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
  revokeTree: (trx: Trx, of: Of) => Promise<readonly string[]>
}) => ({
  /** Looks again until nothing is left: what was made meanwhile is then visible, and nothing can follow. */
  async revoke(of: Of, also?: (trx: Trx, ids: readonly string[]) => Promise<void>): Promise<void> {
    for (;;) {
      const ids = await transaction(async (trx) => {
        const revoked = await revokeTree(trx, of)
        if (revoked.length > 0) await also?.(trx, revoked)
        return revoked
      })
      if (ids.length === 0) return
      for (let at = 0; at < ids.length; at += BATCH) signals.send(TOPIC, ids.slice(at, at + BATCH))
    }
  },

  on: (hear: (credentialIds: readonly string[]) => void): Disposable =>
    signals.on(TOPIC, (ids) => {
      if (Array.isArray(ids)) hear(ids.filter((id) => typeof id === 'string'))
    })
})
