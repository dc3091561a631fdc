import { createHash } from 'node:crypto'

const MOST_CHARACTERS = 64

/** `<server>__<tool>` in letters that models may say; what had to be changed for it has a hash at its end. */
export function toolNameOf({ id, name: server }: { id: string; name: string }, tool: string): string {
  const plain = `${clean(server) || 'server'}__${clean(tool)}`
  if (plain.length <= MOST_CHARACTERS && clean(tool) === tool) return plain
  const end = `_${createHash('sha256').update(`${id}\0${tool}`).digest('hex').slice(0, 8)}`
  return plain.slice(0, MOST_CHARACTERS - end.length) + end
}

const clean = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')

/** The same for the same value, in whatever order its fields came. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, it) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it
  )
