import { pace } from 'agent-platform'
import type { Response } from 'undici'
import type { Call, Output } from '../contract.ts'

const EXCERPT = 2_000
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|javascript|x-www-form-urlencoded|yaml|x-ndjson|[\w.-]+\+(?:xml|yaml))\b)/i

/** What a reply says: JSON parsed, text as it is, of anything else what it is and how long. */
export async function outputOf(
  reply: Response,
  { redact }: Pick<Call, 'redact'>,
  pointer?: string
): Promise<Output> {
  const content = await contentOf(reply)
  const { status } = reply
  if (status >= 300) return { output: { status, body: excerptOf(await redact(content)) }, isError: true }
  if (content === undefined) return { output: { status } }
  if (pointer === undefined) return { output: content }
  const part = partOf(content, pointer)
  return part === undefined
    ? { output: `The reply has nothing at ${pointer}`, isError: true }
    : { output: part }
}

/** A part of a content that is to stand in an error. */
export function excerptOf(content: unknown): unknown {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
  if (text.length <= EXCERPT) return content ?? null
  return `${text.slice(0, EXCERPT)}…`.toWellFormed()
}

export async function contentOf(reply: Response): Promise<unknown> {
  const type = reply.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await reply.arrayBuffer())
  if (bytes.length === 0) return undefined
  if (JSON_TYPE.test(type)) return await parsed(decode(bytes, 'utf-8'))
  if (TEXT_TYPE.test(type)) return decode(bytes, /charset="?([\w-]+)/i.exec(type)?.[1] ?? marked(bytes))
  return { contentType: type || null, bytes: bytes.length }
}

/** What the first bytes say where the reply does not. */
const marked = ([a, b]: Uint8Array): string =>
  a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8'

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Nothing here or after it walks deeper. */
const MAX_DEPTH = 500

async function parsed(text: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(text)
    await pace()
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
