import { invalid } from 'agent-platform'

const PREFIX = '/v1/compute'
const DOTS = /^\.{1,2}(?:;.*)?$/

/**
 * The path and query behind the prefix, as they were sent, not decoded. 400 for a path that could be read as
 * another one: with dot segments, in whatever encoding, or not written plainly.
 */
export function targetOf(url: string): string {
  const target = url.slice(PREFIX.length)
  if (!url.startsWith(`${PREFIX}/`) || !/^[\x21-\x7e]+$/.test(target) || target.includes('#'))
    throw invalid('*', 'The path must be written plainly')
  const path = target.split('?', 1)[0] as string
  const once = decoded(path)
  if ([path, once, decoded(once)].some(hasDotSegment))
    throw invalid('*', 'The path must not have dot segments')
  return target
}

/** A backslash separates too, for some servers, and so does what begins a query or fragment once decoded. */
const hasDotSegment = (path: string): boolean => path.split(/[/\\?#]/).some((segment) => DOTS.test(segment))

const decoded = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
