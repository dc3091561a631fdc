import { createHmac } from 'node:crypto'
import { canonicalJson } from 'agent-platform'
import type { Trace } from '../stores/traces.ts'
import { leafHash, merkleRoot } from './merkle.ts'

/** The items of traces, numbered, and the tree over them; of one trace at least. */
export function treeOf(traces: readonly Trace[]) {
  const items = traces.flatMap(saltedOf).map((item, n) => ({ n, ...item }))
  const leaves = items.map((item) => leafHash(canonicalJson(item)))
  return { items, leaves, root: merkleRoot(leaves).toString('hex') }
}

/** Who sees a digest of an item that is not shown cannot try out what it might be. */
const saltedOf = ({ id, salt, items }: Pick<Trace, 'id' | 'salt' | 'items'>) =>
  items.map((item, index) => ({
    runId: id,
    ...item,
    salt: createHmac('sha256', Buffer.from(salt, 'hex')).update(String(index)).digest('base64url')
  }))
