import type { Response } from 'undici'
import type { Output } from '../contract.ts'
import type { Redact } from '../redaction.ts'

const EXCERPT = 2_000
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|javascript|x-www-form-urlencoded|yaml|x-ndjson|[\w.-]+\+(?:xml|yaml))\b)/i

/** What a reply says: JSON parsed, text as it is, of anything else what it is and how long. */
export async function outputOf(
  reply: Response,
  { redact, pointer }: { redact: Redact; pointer?: string | undefined }
): Promise<Output> {
  const content = redact(await contentOf(reply))
  const { status } = reply
  if (status >= 300) return { output: { status, body: excerptOf(content) }, isError: true }
  if (content === undefined) return { output: { status } }
  if (pointer === undefined) return { output: content }
  const part = partOf(content, pointer)
  return part === undefined
    ? { output: `The reply has nothing at ${pointer}`, isError: true }
    : { output: part }
}

/** A part of a content that is to be told in an error. */
export function excerptOf(content: unknown): unknown {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
  if (text.length <= EXCERPT) return content ?? null
  return `${text.slice(0, EXCERPT)}…`.toWellFormed()
}

export async function contentOf(reply: Response): Promise<unknown> {
  const type = reply.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await reply.arrayBuffer())
  if (bytes.length === 0) return undefined
  if (JSON_TYPE.test(type)) return parsed(decode(bytes, 'utf-8'))
  if (TEXT_TYPE.test(type)) return decode(bytes, /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8')
  return { contentType: type.slice(0, 200) || null, bytes: bytes.length }
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Nothing here or after it walks deeper. */
const MAX_DEPTH = 500

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH) ? text : value
  } catch {
    return text
  }
}
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)))

/** By a JSON pointer; undefined where there is nothing. */
function partOf(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((part, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof part === 'object' && part !== null && Object.hasOwn(part, key)
      ? (part as Record<string, unknown>)[key]
      : undefined
  }, value)
}
