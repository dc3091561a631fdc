import { hash } from 'node:crypto'

// The tree of RFC 6962 (section 2.1): leaves and nodes are hashed apart, and the left side is the largest full tree.

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])
const sha256 = (...parts: readonly Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer')

export const leafHash = (text: string): Buffer => sha256(LEAF, Buffer.from(text))
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right)

/** The largest power of two that is less than `size`. */
const splitOf = (size: number): number => 2 ** (31 - Math.clz32(size - 1))

/** The root of leaves that are hashed already, at least one. */
export function merkleRoot(leaves: readonly Buffer[], from = 0, to = leaves.length): Buffer {
  if (to - from === 1) return leaves[from] as Buffer
  const middle = from + splitOf(to - from)
  return nodeHash(merkleRoot(leaves, from, middle), merkleRoot(leaves, middle, to))
}

/** What has to be known beside a leaf to come to the root, the nearest first. */
export function inclusionProof(
  leaves: readonly Buffer[],
  index: number,
  from = 0,
  to = leaves.length
): Buffer[] {
  if (to - from === 1) return []
  const middle = from + splitOf(to - from)
  return index < middle
    ? [...inclusionProof(leaves, index, from, middle), merkleRoot(leaves, middle, to)]
    : [...inclusionProof(leaves, index, middle, to), merkleRoot(leaves, from, middle)]
}
