/** Stands in for a text while it is tried whether a place is the right one. */
const PROBE = '\uE000probe\uE000'
/** Lessons that came to nothing before learning is given up: every event of this server looks different. */
const PATIENCE = 8
/** Characters of an event that is worth a lesson. */
const LESSON = 16_384
/** What stands otherwise in JSON than it means, or not at all. */
const ESCAPED = /["\\]|[^ -\uffff]/

const fields = ['content', 'reasoning_content', 'reasoning'] as const
export type Field = (typeof fields)[number]
export type Delta = Readonly<Record<string, unknown>>

/**
 * Tells the text of an event that is, but for this text, the same as one before, without parsing it: nearly all
 * events of most servers are. `JSON.parse` is more than half of what a token costs, this a tenth of it. (Strings
 * are cut and compared with `===`, which is one comparison of memory; `startsWith` is five times slower.)
 */
export function createDeltaFastPath() {
  let field: Field = 'content'
  let before = ''
  let after = ''
  let fruitless = 0

  /** The text; undefined when the event must be parsed. Stands in `field` of the delta. */
  function match(data: string): string | undefined {
    const end = data.length - after.length
    if (before === '' || end < before.length) return undefined
    if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined
    const text = data.slice(before.length, end)
    if (ESCAPED.test(text)) return undefined
    fruitless = 0
    return text
  }

  /** Takes an event as the pattern whose delta does nothing but say something. */
  function learn(data: string, delta: Delta): void {
    if (fruitless >= PATIENCE || data.length > LESSON) return
    const said = fields.find((name) => typeof delta[name] === 'string' && delta[name] !== '')
    const text = said && (delta[said] as string)
    if (!text || ESCAPED.test(text)) return
    fruitless++
    const start = data.indexOf(`"${text}"`, data.indexOf(`"${said}"`)) + 1
    if (start === 0) return
    const [head, tail] = [data.slice(0, start), data.slice(start + text.length)]
    // Whatever plain text stands there is what that field says, and changes nothing else.
    try {
      if (JSON.parse(head + PROBE + tail).choices[0].delta[said] !== PROBE) return
    } catch {
      return
    }
    field = said
    before = head
    after = tail
  }

  return {
    match,
    learn,
    get field() {
      return field
    }
  }
}
