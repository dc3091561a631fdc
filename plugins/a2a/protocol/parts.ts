import type { Dialect } from './dialects.ts'
import { failed } from './errors.ts'

export interface FileContent {
  readonly name: string | null
  readonly mediaType: string | null
  /** In base64. */
  readonly bytes?: string
  readonly uri?: string
}

/** A part of a message or an artifact, as no version of the protocol alone has it. */
export type Part = { readonly text: string } | { readonly data: unknown } | { readonly file: FileContent }

const MOST_PARTS = 100

/** Parts in the words of any version; -32602 for what is none. */
export function partsOf(parts: unknown): Part[] {
  if (!Array.isArray(parts) || parts.length === 0)
    throw failed('INVALID_PARAMS', 'message.parts must be a list with something in it')
  if (parts.length > MOST_PARTS)
    throw failed('INVALID_PARAMS', `message.parts must not have more than ${MOST_PARTS} items`)
  return parts.map(partOf)
}

function partOf(part: unknown, index: number): Part {
  const at = `message.parts[${index}]`
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    throw failed('INVALID_PARAMS', `${at} must be an object`)
  const { text, data, file, raw, url, filename, mediaType } = part as Record<string, unknown>
  if (typeof text === 'string') return { text }
  if (typeof file === 'object' && file !== null) {
    const { name, mimeType, bytes, uri } = file as Record<string, unknown>
    return fileOf(at, name, mimeType, bytes, uri)
  }
  if (raw !== undefined || url !== undefined) return fileOf(at, filename, mediaType, raw, url)
  if (data !== undefined && data !== null) return { data }
  throw failed('CONTENT_TYPE_NOT_SUPPORTED', `${at} is neither text, a file nor data`)
}

function fileOf(at: string, name: unknown, mediaType: unknown, bytes: unknown, uri: unknown): Part {
  const about = { name: textOr(name), mediaType: textOr(mediaType) }
  if (typeof bytes === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(bytes))
    return { file: { ...about, bytes } }
  if (typeof uri === 'string' && bytes === undefined) return { file: { ...about, uri } }
  throw failed('INVALID_PARAMS', `${at} must have its bytes in base64, or an address`)
}

const textOr = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** A part as clients of that version read it. */
export function shownPart(dialect: Dialect, part: Part): object {
  if ('file' in part) return shownFile(dialect, part.file)
  const kind = 'text' in part ? 'text' : 'data'
  if (dialect === '1.0') return part
  return dialect === '0.3' ? { kind, ...part } : { type: kind, ...part }
}

function shownFile(dialect: Dialect, { name, mediaType, bytes, uri }: FileContent): object {
  if (dialect === '1.0')
    return {
      ...(bytes !== undefined ? { raw: bytes } : { url: uri }),
      ...(name && { filename: name }),
      ...(mediaType && { mediaType })
    }
  const file = {
    ...(name && { name }),
    ...(mediaType && { mimeType: mediaType }),
    ...(bytes !== undefined ? { bytes } : { uri })
  }
  return dialect === '0.3' ? { kind: 'file', file } : { type: 'file', file }
}
