import type { Fault } from './fault.ts'
import { rootOfProof } from './merkle.ts'

/** Where the root of a bundle stands on a chain: as a leaf of a tree whose root a transaction has as its data. */
export interface Anchor {
  readonly root: string
  readonly batch: {
    readonly root: string
    readonly index: number
    readonly size: number
    readonly proof: readonly string[]
  }
  readonly chainId: number
  readonly transaction: string
  /** Of EAS, which the transaction calls; null for a plain one. */
  readonly contract: string | null
}

/** What the chain says about an anchor. */
export interface Anchored {
  readonly block: number
  /** ISO 8601: what it commits to was there by then. */
  readonly at: string
  readonly from: string
  /** How many blocks stand on it, its own included. */
  readonly blocks: number
}

// Of what a chain answers (the JSON-RPC of Ethereum), what is read; numbers are hexadecimal texts.
interface Sent {
  readonly to: string | null
  readonly from: string
  readonly input: string
}
interface Receipt {
  readonly status: string
  readonly blockNumber: string | null
  readonly blockHash: string
}
interface Block {
  readonly hash: string
  readonly timestamp: string
}

/** `timestamp(bytes32)` of the Ethereum Attestation Service. */
const TIMESTAMP = '4d003070'
const MOST_MS = 30_000
const hex64 = /^[0-9a-f]{64}$/

/** As a bundle has it; undefined where it has none. Throws for one that is none. */
export function anchorOf(given: unknown): Anchor | undefined {
  if (given === undefined || given === null) return undefined
  const anchor = given as Partial<Anchor>
  const { batch, transaction, chainId, root, contract = null } = anchor
  const isWhole =
    hex64.test(String(root)) &&
    hex64.test(String(batch?.root)) &&
    /^0x[0-9a-f]{64}$/.test(String(transaction)) &&
    (contract === null || /^0x[0-9a-fA-F]{40}$/.test(contract)) &&
    [batch?.index, batch?.size, chainId].every(Number.isInteger) &&
    Array.isArray(batch?.proof) &&
    batch.proof.every((node) => hex64.test(String(node)))
  if (!isWhole) throw new Error('Its anchor is not whole')
  return { ...(anchor as Anchor), contract }
}

/** What is wrong with it by itself: it has to be of this root, and its proof has to lead to what the chain is said to have. */
export function anchorFaults({ root, batch }: Anchor, signed: string): Fault[] {
  const { index, size, proof } = batch
  if (root !== signed) return [unanchored('Its anchor is that of another root')]
  const nodes = proof.map((node) => Buffer.from(node, 'hex'))
  if (rootOfProof(root, index, size, nodes)?.toString('hex') === batch.root) return []
  return [unanchored('The proof of its anchor does not lead to the root that is anchored')]
}

/** Asks a chain whether it has it, by the address of a server that speaks JSON-RPC: what it says is believed. */
export async function askChain(
  { batch, chainId, transaction, contract }: Anchor,
  url: string
): Promise<Anchored | Fault> {
  const ask = createAsking(url)
  const chain = Number(await ask<string>('eth_chainId', []))
  if (chain !== chainId)
    return unanchored(`It is anchored on chain ${chainId}, and the server serves ${chain}`)
  const [sent, receipt] = await Promise.all([
    ask<Sent | null>('eth_getTransactionByHash', [transaction]),
    ask<Receipt | null>('eth_getTransactionReceipt', [transaction])
  ])
  if (!sent || !receipt?.blockNumber) return unanchored(`The chain has no transaction ${transaction}`)
  if (receipt.status !== '0x1') return unanchored(`The transaction ${transaction} failed`)
  const written = contract === null ? batch.root : `${TIMESTAMP}${batch.root}`
  const isThere = contract === null || String(sent.to).toLowerCase() === contract.toLowerCase()
  if (sent.input !== `0x${written}` || !isThere)
    return unanchored(`The transaction ${transaction} has other data than the root that is anchored`)
  const [block, head] = await Promise.all([
    ask<Block | null>('eth_getBlockByNumber', [receipt.blockNumber, false]),
    ask<string>('eth_blockNumber', [])
  ])
  if (block?.hash !== receipt.blockHash) return unanchored(`The chain has no transaction ${transaction}`)
  return {
    block: Number(receipt.blockNumber),
    at: new Date(Number(block.timestamp) * 1_000).toISOString(),
    from: sent.from,
    blocks: Number(head) - Number(receipt.blockNumber) + 1
  }
}

export const unanchored = (message: string): Fault => ({ code: 'unanchored', message })

/** Errors name no address: there may be a key in it. */
function createAsking(url: string) {
  const signal = AbortSignal.timeout(MOST_MS)
  return async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    try {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal
      })
      const { result, error } = (await reply.json()) as { result: T; error?: { message?: unknown } }
      if (error) throw new Error(String(error.message))
      return result
    } catch (cause) {
      throw new Error(`The server of the chain does not answer ${method}`, { cause })
    }
  }
}
