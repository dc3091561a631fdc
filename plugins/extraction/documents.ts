import { builtIn } from './built-in.ts'
import type { DocumentFormat, UntrustedDocument } from './contract.ts'

type Named = Pick<UntrustedDocument, 'name' | 'mediaType'>

export interface Recognised {
  readonly format: DocumentFormat
  /** Lower case, without parameters. */
  readonly mediaType: string
  readonly charset: string | undefined
}

/** Media types that say no more than that there are bytes, or characters. */
const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'text/plain'])

/** The format of a document, by its media type, else by its name; of those that packs bring, and then of our own. */
export function recognise(
  { name, mediaType: given }: Named,
  brought: readonly DocumentFormat[]
): Recognised | undefined {
  const [first = '', ...parameters] = given.toLowerCase().split(';')
  const mediaType = first.trim()
  const formats = [...brought, ...builtIn]
  const extension = /\.[a-z0-9]{1,16}$/.exec(name.toLowerCase())?.[0]
  const byType = formats.find(({ mediaTypes }) => mediaTypes.includes(mediaType))
  const byName = extension && formats.find(({ extensions }) => extensions.includes(extension))
  const byGroup = formats.find(({ mediaTypes }) => mediaTypes.some((it) => isGroupOf(it, mediaType)))
  const format = (SAYS_NOTHING.has(mediaType) && byName) || byType || byGroup
  if (!format) return undefined
  const charset = /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/
  return { format, mediaType, charset: parameters.map((it) => charset.exec(it)?.[1]).find(Boolean) }
}

const isGroupOf = (group: string, mediaType: string) =>
  group.endsWith('/*') && mediaType.startsWith(group.slice(0, -1))
