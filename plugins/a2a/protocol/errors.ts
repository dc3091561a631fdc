/** A failure that a caller is told as JSON-RPC has it; known by its `rpc`. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

const codes = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  REFUSED: -32000,
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  VERSION_NOT_SUPPORTED: -32009
} as const
export type Reason = keyof typeof codes

/** As 1.0 names causes, for those who do not go by the code. */
const infoOf = (reason: Reason, metadata: object = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
  metadata
})

export const rpcError = (reason: Reason, message: string, metadata?: object): RpcError => ({
  code: codes[reason],
  message,
  data: [infoOf(reason, metadata)]
})

/** To be thrown. */
export const failed = (reason: Reason, message: string, metadata?: object): Error =>
  Object.assign(new Error(message), { rpc: rpcError(reason, message, metadata) })

interface Known {
  readonly rpc?: RpcError
  readonly kind?: string
  readonly param?: string
  readonly code?: string
}

/** What a caller is told of anything that was thrown; undefined for what was not meant for callers. */
export function rpcErrorOf(error: unknown): RpcError | undefined {
  if (!(error instanceof Error)) return undefined
  const { rpc, kind, param, code, message } = error as Error & Known
  if (rpc) return rpc
  if (kind === undefined || kind === 'internal') return undefined
  const about = { type: kind, ...(param && { param }), ...(code && { code }) }
  if (code === 'attachment_unsupported') return rpcError('CONTENT_TYPE_NOT_SUPPORTED', message, about)
  return rpcError(kind === 'invalid' ? 'INVALID_PARAMS' : 'REFUSED', message, about)
}
