/** What is shorter would be found everywhere. */
export const SHORTEST = 8

/** What is looked for in a text whose escapes are undone: the secret and its parts, plain, in hexadecimal and base64. */
export const needlesOf = (secret: string): string[] =>
  partsOf(secret).flatMap((part) => [part, part.replaceAll(' ', '+'), ...hexOf(part), ...base64Of(part)])

/** The secret, and what of it may stand by itself: what follows the scheme, of `Basic abc…` what it stands for. */
export function partsOf(secret: string): string[] {
  const space = secret.indexOf(' ')
  const parts = [secret]
  if (space >= 0) {
    const credential = secret.slice(space).trim()
    parts.push(credential)
    if (/^basic$/i.test(secret.slice(0, space))) {
      const pair = Buffer.from(credential, 'base64').toString()
      parts.push(pair, pair.slice(pair.indexOf(':') + 1))
    }
  }
  return parts.filter(({ length }) => length >= SHORTEST)
}

function hexOf(part: string): string[] {
  const hex = Buffer.from(part).toString('hex')
  return [hex, hex.toUpperCase()]
}

/** In either alphabet, at each of the three offsets that it may have in what was encoded with it. */
const base64Of = (part: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(part)])
    // Characters that hold bits of what stands before or after are not known.
    const from = before === 0 ? 0 : before + 1
    const to = Math.floor((bytes.length * 8) / 6)
    const text = bytes.toString('base64').slice(from, to)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
