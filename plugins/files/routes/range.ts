import { rangeNotSatisfiable } from 'agent-platform'
import type { ByteRange } from '../../storage/contract.ts'

/**
 * The range of bytes that a header asks for; undefined for the whole: without one, and for what is malformed or more than one
 * range (RFC 9110 lets a server answer these so). 416 for one that has nothing of the file.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end) throw rangeNotSatisfiable(size)
  return { start, end }
}

/** Whether a list of entity tags names this one, also weakly; `*` names each. */
export const names = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, ''))) ?? false
