import { hash } from 'node:crypto'

// How the tree of RFC 6962 is checked. How it is made is the platform's; neither uses the other.

const sha256 = (prefix: number, ...parts: readonly Uint8Array[]) =>
  hash('sha256', Buffer.concat([Buffer.from([prefix]), ...parts]), 'buffer')
const leafOf = (text: string) => sha256(0, Buffer.from(text))

/** Level by level: what has no neighbour goes up as it is. */
export function rootOfAll(texts: readonly string[]): Buffer {
  let level: Buffer[] = texts.map(leafOf)
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let n = 0; n < level.length; n += 2) {
      const [left, right] = [level[n] as Buffer, level[n + 1]]
      above.push(right ? sha256(1, left, right) : left)
    }
    level = above
  }
  return level[0] ?? hash('sha256', '', 'buffer')
}

/** The root to which an inclusion proof leads (RFC 9162, section 2.1.3.2); undefined for one of another length. */
export function rootOfProof(
  text: string,
  index: number,
  size: number,
  proof: readonly Buffer[]
): Buffer | undefined {
  if (index < 0 || index >= size) return undefined
  let node: Buffer = leafOf(text)
  let [at, last] = [index, size - 1]
  for (const other of proof) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      node = sha256(1, other, node)
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1]
    } else node = sha256(1, node, other)
    ;[at, last] = [at >> 1, last >> 1]
  }
  return last === 0 ? node : undefined
}
