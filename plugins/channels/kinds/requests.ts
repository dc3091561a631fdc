import type { Outgoing } from '../../outgoing/contract.ts'

/** The service refused it: to send it again after `retryAfter` seconds may help, or, undefined, will not. */
export class Rejected extends Error {
  readonly retryAfter: number | undefined
  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

const MOST_BYTES = 262_144
const TIMEOUT_MS = 20_000
const LONGEST_SECONDS = 3_600

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Asks a service for JSON, by the guarded client: nothing of what it says goes into an error but its status and a word. */
export async function ask(
  outgoing: Pick<Outgoing, 'fetch'>,
  url: string,
  { body, headers, method, signal }: Asked
) {
  const reply = await outgoing.fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    redirect: 'error',
    maxBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS
  })
  const text = await reply.text()
  const json = parsed(text)
  if (reply.ok) return json
  const said = json.parameters as { retry_after?: unknown } | undefined
  const seconds = Number(
    reply.headers.get('retry-after') ?? said?.retry_after ?? json.retry_after ?? Number.NaN
  )
  if (reply.status === 429) throw new Rejected('The service asks to wait', bounded(seconds, 5))
  if (reply.status >= 500) throw new Rejected(`The service answered ${reply.status}`, bounded(seconds, 2))
  throw new Rejected(`The service answered ${reply.status}`)
}

const bounded = (seconds: number, otherwise: number) =>
  Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), LONGEST_SECONDS) : otherwise

export function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Parts of at most so many characters, cut at ends of lines or words where there are some. */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > most) {
    const cut = Math.max(rest.lastIndexOf('\n', most), rest.lastIndexOf(' ', most))
    const at = cut > most / 2 ? cut : most
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}
