import { upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Network } from './network.ts'

/** Blocks and receipts are far smaller. */
const MOST_BYTES = 4_194_304

interface Said {
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

/** What the network itself said to be wrong, such as a transaction that it does not take. */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Asks the JSON-RPC server of a network. Rejects with `RpcError` for what the network refuses, and with a 502 (`network_unreachable`) or
 * 504 that names neither the server nor what it said.
 */
export function createRpc(
  { id, rpcUrl }: Pick<Network, 'id' | 'rpcUrl'>,
  outgoing: Outgoing,
  seconds: number
) {
  let count = 0

  return async function ask<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const said = await exchange(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }))
    if (said.error)
      throw new RpcError(Number(said.error.code ?? 0), String(said.error.message ?? '').slice(0, 300))
    return said.result as T
  }

  async function exchange(body: string): Promise<Said> {
    try {
      const reply = await outgoing.fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        maxBytes: MOST_BYTES,
        timeoutMs: seconds * 1_000
      })
      const said: unknown = JSON.parse(await reply.text())
      if (said !== null && typeof said === 'object' && ('result' in said || 'error' in said))
        return said as Said
      throw new Error(`The network answered ${reply.status}`)
    } catch (cause) {
      if (cause instanceof Error && 'kind' in cause && cause.kind === 'upstreamTimeout')
        throw upstreamTimeout(`The network ${id} did not answer in time`, {
          code: 'network_unreachable',
          cause
        })
      throw upstreamFailed(`The network ${id} cannot be reached`, { code: 'network_unreachable', cause })
    }
  }
}
export type Rpc = ReturnType<typeof createRpc>
