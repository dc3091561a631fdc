/**
 * The text without the given characters at its end. Takes linear time; a pattern such as `/=+$/` begins again at each `=`, and
 * takes quadratic time on a text that has many of them and ends with something else.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}

/** Trims like `trimEndOf`, at both ends. */
export function trimOf(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text[start] as string)) start++
  return trimEndOf(text.slice(start), characters)
}

/**
 * The JSON text in a model's answer: what stands in a Markdown code fence (plain, or of `json`) around the whole answer, else the
 * answer as it is. Takes linear time.
 */
export function withoutFence(answer: string): string {
  const [, body] = /^\s*```(?:json)?[^\S\n]*\n([\s\S]*)$/.exec(answer) ?? []
  const inner = body?.trimEnd()
  return inner?.endsWith('```') ? inner.slice(0, -3) : answer
}

/** The bytes of a text in base64, with or without padding; undefined where it is not valid base64. */
export function bytesOfBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return trimEndOf(bytes.toString('base64'), '=') === trimEndOf(text, '=') ? bytes : undefined
}
