import { rangeNotSatisfiable } from 'agent-platform'
import type { ByteRange } from '../storage/contract.ts'

/**
 * The one range of bytes that a download asks for; undefined for the whole, also where the header is malformed or names
 * several (RFC 9110). 416 for one that lies beyond the end.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start >= size || end < start) throw rangeNotSatisfiable(size)
  return { start, end }
}
