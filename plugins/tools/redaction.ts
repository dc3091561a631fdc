const REDACTED = '[redacted]'
/** What is shorter would be found everywhere. */
const SHORTEST = 8

/** Every way in which a text may repeat a secret. */
const spellings = (value: string): string[] =>
  partsOf(value)
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((part) => {
      const encoded = encodeURIComponent(part)
      const ofForm = new URLSearchParams([['', part]]).toString().slice(1)
      const inUrls = [encoded, encoded.replaceAll('%20', '+'), ofForm]
      const inJson = quoted(part)
      return [part, ...inUrls, ...inUrls.map(lower), inHtml(part), inJson, quoted(inJson)]
    })

/** The secret, and what of it may be told by itself: what follows the scheme, of `Basic abc…` what it stands for. */
function partsOf(value: string): string[] {
  const space = value.indexOf(' ')
  if (space < 0) return [value]
  const credential = value.slice(space).trim()
  if (!/^basic$/i.test(value.slice(0, space))) return [value, credential]
  const pair = Buffer.from(credential, 'base64').toString()
  return [value, credential, pair, pair.slice(pair.indexOf(':') + 1)]
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)
const lower = (text: string): string => text.replaceAll(/%../g, (code) => code.toLowerCase())
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const inHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)

export type Redact = <T>(output: T) => T

/** Takes secrets out of what was received: of texts, and of JSON with its names. */
export function createRedact(secrets: readonly string[]): Redact {
  // The longest first: one may be the beginning of another.
  const all = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length)
  const clean = (text: string) => all.reduce((rest, one) => rest.replaceAll(one, REDACTED), text)
  return <T>(output: T): T => {
    if (all.length === 0) return output
    if (typeof output === 'string') return clean(output) as T
    const text = JSON.stringify(output)
    const cleaned = clean(text)
    if (cleaned === text) return output
    try {
      return JSON.parse(cleaned)
    } catch {
      // A number that was a secret.
      return cleaned as T
    }
  }
}
