import { createRequire } from 'node:module'
import type { Pattern } from './find-patterns.ts'

/** From here on a count is taken for "any number": what costs a thousand times the text is not linear for a person who waits. */
const MANY = 20
/** The build without Java and native programs. */
const checker = () => createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck')
const LIMIT_MS = 30_000

/**
 * Undefined where the time of a pattern grows with the length of the text at most; else how it grows, or that it is not known.
 * Takes up to some seconds of CPU time.
 */
export function judge({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | undefined {
  if (!isRepeating(source)) return undefined
  const verdict = checker().checkSync(withoutCounts(source), flags, { timeout: LIMIT_MS })
  if (verdict.status === 'safe') return undefined
  return verdict.status === 'unknown' ? 'unknown' : verdict.complexity.summary
}

/** One that repeats nothing without a bound takes a time that is bounded for each place of the text. */
const isRepeating = (source: string): boolean =>
  /[*+]|\{\d+,\}|\{\d*,?\d{2,}\}/.test(source.replaceAll(/\\./gs, '_').replaceAll(/\[[^\]]*\]/g, '_'))

/** A large count would have many states: it is judged as "any number", followed by something where so many have to be there. */
const withoutCounts = (source: string): string =>
  source.replaceAll(/\{(\d+)(,?)(\d*)\}/g, (all, least: string, comma: string, most: string) => {
    const last = comma === '' ? Number(least) : most === '' ? Number(least) : Number(most)
    if (last < MANY) return all
    if (Number(least) >= MANY) return '+\\uE000'
    return Number(least) === 0 ? '*' : '+'
  })
