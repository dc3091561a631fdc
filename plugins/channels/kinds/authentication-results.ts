interface Results {
  readonly authority: string
  /** What is said of each method, as it is written. */
  readonly said: readonly string[]
}

/**
 * The parts of `Authentication-Results` (RFC 8601) without comments, and without quoted strings that are more than a word: what
 * stands in those may be the sender's, such as the local part of its address. Undefined where one does not end.
 */
export function readResults(value: string): Results | undefined {
  const parts = ['']
  let depth = 0
  let quoted: string | undefined
  for (let at = 0; at < value.length; at++) {
    const is = value[at] as string
    const text = is === '\\' && (depth > 0 || quoted !== undefined) ? (value[++at] ?? '') : is
    const isPlain = text === is && is !== '\\'
    if (quoted !== undefined) {
      if (!isPlain || is !== '"') quoted += text
      else {
        parts.push(`${parts.pop()}${/^[\w.@+-]*$/.test(quoted) ? quoted : '""'}`)
        quoted = undefined
      }
    } else if (isPlain && is === '(') {
      depth++
      parts.push(`${parts.pop()} `)
    } else if (depth > 0) {
      if (isPlain && is === ')') depth--
    } else if (is === '"') quoted = ''
    else if (is === ';') parts.push('')
    else parts.push(`${parts.pop()}${is}`)
  }
  if (depth > 0 || quoted !== undefined) return undefined
  const [first = '', ...said] = parts
  // Before the version that may follow it.
  return { authority: first.trim().split(/\s+/)[0]?.toLowerCase() ?? '', said }
}

/** The domain for which the one result of DMARC is that it passed. */
export function passedDmarc({ said }: Results): string | undefined {
  const [result, ...others] = said.filter((part) => /^\s*dmarc\s*[/=]/i.test(part))
  if (result === undefined || others.length > 0) return undefined
  if (!/^\s*dmarc\s*(?:\/\s*\d+\s*)?=\s*pass(?:\s|$)/i.test(result)) return undefined
  const [from, ...more] = [...result.matchAll(/(?:^|\s)header\.from\s*=\s*(\S+)/gi)]
  return more.length > 0 ? undefined : from?.[1]?.toLowerCase()
}
