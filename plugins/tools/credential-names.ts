// What of a tool's config looks like a credential that was written into it: keys lie apart from tools, but people do it.

const CREDENTIAL = /key|token|secret|passw|auth|credential|signature|cookie|session|bearer/i
/** Long and without a gap: what words are not. */
const OPAQUE = /^(?=.*[0-9])[A-Za-z0-9+/_=.~-]{20,}$/

type Json = Readonly<Record<string, unknown>>

const hasPlaceholder = (text: string) =>
  text.indexOf('{{') !== -1 && text.lastIndexOf('}}') > text.indexOf('{{') + 1
const isLiteral = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && !hasPlaceholder(value))
const isCredential = (name: string, value: unknown) =>
  isLiteral(value) && (CREDENTIAL.test(name) || OPAQUE.test(String(value).replace(/^\w+ /, '')))

/** The config without what looks like a credential, and where that stood. */
export function withoutCredentials(config: Json): { config: Json; left: readonly string[] } {
  const left: string[] = []
  const cleaned = Object.fromEntries(
    Object.entries(config).map(([part, value]) => [
      part,
      part === 'url' ? cleanUrl(String(value), left) : cleanValue(value, part, left)
    ])
  )
  return { config: cleaned, left }
}

function cleanValue(value: unknown, at: string, left: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, at, left))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, it]) => {
      if (!isCredential(name, it)) return [[name, cleanValue(it, `${at}.${name}`, left)]]
      left.push(`${at}.${name}`)
      return []
    })
  )
}

/** Its query is literal; who is named before the host goes, too. */
function cleanUrl(url: string, left: string[]): string {
  const bare = url.replace(/^(https?:\/\/)[^/?#@]*@/i, (_, scheme) => {
    left.push('url')
    return scheme
  })
  const [path = '', query] = bare.split('?')
  if (query === undefined) return bare
  const kept = query.split('&').filter((pair) => {
    const [name = '', value = ''] = pair.split('=')
    const goes = isCredential(name, value)
    if (goes) left.push(`url.${name}`)
    return !goes
  })
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}
