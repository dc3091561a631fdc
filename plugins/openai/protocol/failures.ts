/** Failures of models in OpenAI's words: the `type` and `code` that its clients know. */
const known: Readonly<Record<string, { readonly type: string; readonly code: string }>> = {
  model_rate_limited: { type: 'requests', code: 'rate_limit_exceeded' },
  model_quota_exhausted: { type: 'insufficient_quota', code: 'insufficient_quota' },
  model_overloaded: { type: 'server_error', code: 'server_is_overloaded' },
  context_exceeded: { type: 'invalid_request_error', code: 'context_length_exceeded' }
}
/** Failures with a status that clients repeat, which a repetition does not mend. */
const final: ReadonlySet<string> = new Set([
  'model_malformed',
  'reply_too_large',
  'too_many_calls',
  'output_limit',
  'step_limit',
  'loop_detected'
])

/** A failure as events of a stream have it, by the code of a run. */
export function errorOf(code: string, message: string) {
  const { type = 'server_error', code: name = code } = known[code] ?? {}
  return { message, type, param: null, code: name }
}

/** The code of a failed response: OpenAI's schema has few, and its clients know a few more. */
export const responseCode = (code: string): string => known[code]?.code ?? 'server_error'

/** What a client of OpenAI's reads of a failure, by the platform's envelope, and whether it may send the request again. */
export function failureBody(
  status: number,
  text: string
): { readonly body: string; readonly isFinal: boolean } {
  let error: { type?: string; message?: string; param?: string; code?: string } = {}
  try {
    error = JSON.parse(text).error ?? {}
  } catch {
    // Not an envelope: its status says enough.
  }
  const param = error.param === undefined ? null : pathOf(error.param)
  const isModel = param === 'model' && status === 404
  const mapped = known[error.code ?? '']
  const body = JSON.stringify({
    error: {
      message: isModel ? 'The model does not exist, or is no agent' : (error.message ?? 'The request failed'),
      type: mapped?.type ?? typeOf(status, error.type),
      param,
      code: isModel ? 'model_not_found' : (mapped?.code ?? error.code ?? codeOf(status))
    }
  })
  return { body, isFinal: final.has(error.code ?? '') }
}

/** A JSON pointer as OpenAI writes it: `messages[0].content`. */
function pathOf(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      ''
    )
}

function typeOf(status: number, own: string | undefined): string {
  if (status === 402) return 'insufficient_quota'
  if (status >= 500) return 'server_error'
  if (status === 403 || status === 409 || status === 429) return own ?? 'invalid_request_error'
  return 'invalid_request_error'
}

function codeOf(status: number): string | null {
  if (status === 401) return 'invalid_api_key'
  if (status === 402) return 'insufficient_quota'
  if (status === 429) return 'rate_limit_exceeded'
  return null
}

/** How the parts of a run's order are called in a request. */
export type Names = readonly (readonly [platform: RegExp, here: string])[]

/** A failure of a run's start, at the place that the client knows. */
export function renamed(error: unknown, names: Names): unknown {
  const { param } = (error ?? {}) as { param?: unknown }
  if (typeof param !== 'string') return error
  for (const [platform, here] of names)
    if (platform.test(param)) {
      const name = param.replace(platform, here)
      const { message } = error as Error
      return Object.assign(error as Error, { param: name, message: message.replaceAll(param, name) })
    }
  return error
}
