import { createHash } from 'node:crypto'
import { canonicalJson, trimOf } from 'agent-platform'

const MOST_CHARACTERS = 64

/** `<server>__<tool>` in letters that models may say; what had to be changed for it has a hash at its end. */
export function toolNameOf({ id, name: server }: { id: string; name: string }, tool: string): string {
  const plain = `${clean(server) || 'server'}__${clean(tool)}`
  if (plain.length <= MOST_CHARACTERS && clean(tool) === tool) return plain
  const end = `_${createHash('sha256').update(`${id}\0${tool}`).digest('hex').slice(0, 8)}`
  return plain.slice(0, MOST_CHARACTERS - end.length) + end
}

const clean = (text: string): string => trimOf(text.replace(/[^A-Za-z0-9_-]+/g, '_'), '_')

/** Of what was discovered: what its owner approves. */
export const digestOf = (definition: object): string =>
  createHash('sha256').update(canonicalJson(definition)).digest('hex')
