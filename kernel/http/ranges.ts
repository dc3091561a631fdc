import { rangeNotSatisfiable } from '../contract/errors.ts'

/**
 * The bytes that a `Range` header asks for, `start` and `end` among them; undefined for the whole: without a header, and
 * for what is malformed or more than one range, which RFC 9110 lets a server answer so. 416 for one that has nothing of
 * the content.
 */
export function rangeOf(
  header: string | undefined,
  size: number
): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end) throw rangeNotSatisfiable(size)
  return { start, end }
}
