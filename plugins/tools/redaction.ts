const REDACTED = '[redacted]'
/** What is shorter would be found everywhere. */
const SHORTEST = 8

/** Every way in which a text may repeat a secret. */
function spellings(value: string): string[] {
  // Whoever gets `Basic abc…` may repeat what follows the scheme.
  const parts = [value, ...value.split(' ')].filter(({ length }) => length >= SHORTEST)
  return parts.flatMap((part) => {
    const encoded = encodeURIComponent(part)
    return [part, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(part).slice(1, -1)]
  })
}

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
