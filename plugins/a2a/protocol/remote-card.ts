import type { RemoteAgent } from '../schemas/remotes.ts'

/** What is kept of a card. */
export type KnownCard = Pick<
  RemoteAgent,
  'description' | 'url' | 'protocolVersion' | 'streaming' | 'skills'
> & {
  readonly name: string
}

const SKILLS = 100
const NAME = 200
const DESCRIPTION = 2_000

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** On one line, without what a terminal or a prompt would take for more than text. */
const lineOf = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
        .trim()
        .slice(0, most)
        .toWellFormed()
        .trim()
    : ''

/** What a stranger's card says, within bounds; a text says what is wrong with it. */
export function knownCard(card: unknown): KnownCard | string {
  const { name, description, capabilities, skills } = fieldsOf(card)
  const shown = lineOf(name, NAME)
  if (!shown) return 'It has no name'
  const place = interfaceOf(fieldsOf(card))
  if (!place) return 'It names no address that takes JSON-RPC in the versions 0.3 or 1.0'
  return {
    name: shown,
    description: lineOf(description, DESCRIPTION),
    ...place,
    streaming: fieldsOf(capabilities).streaming === true,
    skills: listOf(skills).slice(0, SKILLS).map(fieldsOf).map(skillOf)
  }
}

const skillOf = ({ id, name, description }: Fields) => ({
  id: lineOf(id, NAME),
  name: lineOf(name, NAME),
  description: lineOf(description, DESCRIPTION)
})

/** The newest version that both sides speak. */
function interfaceOf(card: Fields): { url: string; protocolVersion: string } | undefined {
  const spoken = listOf(card.supportedInterfaces)
    .map(fieldsOf)
    .filter(({ protocolBinding, url }) => isRpc(protocolBinding) && typeof url === 'string')
  for (const version of ['1.0', '0.3']) {
    const found = spoken.find(({ protocolVersion }) => String(protocolVersion).startsWith(version))
    if (found) return { url: found.url as string, protocolVersion: version }
  }
  if (!/^0\.3/.test(String(card.protocolVersion))) return undefined
  const { url, preferredTransport = 'JSONRPC' } = card
  if (typeof url === 'string' && isRpc(preferredTransport)) return { url, protocolVersion: '0.3' }
  const other = listOf(card.additionalInterfaces)
    .map(fieldsOf)
    .find(({ transport, url }) => isRpc(transport) && typeof url === 'string')
  return other && { url: other.url as string, protocolVersion: '0.3' }
}

const isRpc = (binding: unknown): boolean =>
  typeof binding === 'string' && binding.toUpperCase() === 'JSONRPC'
