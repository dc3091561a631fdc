/** Blocks of a Markdown text that what comes cannot change any more, and where they end. */
export interface Settling {
  readonly text: string
  readonly blocks: readonly string[]
  readonly end: number
}

export const unsettled: Settling = { text: '', blocks: [], end: 0 }

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** What goes on a block across a blank line: an item of a list, or something indented. */
const GOES_ON = /^(?:\s|[-*+] |\d{1,9}[.)] |>)/

/**
 * Goes on where it stood, when `text` is longer than it was. A block ends at a blank line outside of fenced code, unless
 * the next line belongs to it; while that is not there, nothing is settled.
 */
export function settle(known: Settling, text: string): Settling {
  const from = text.startsWith(known.text) ? known : unsettled
  const blocks = [...from.blocks]
  let { end } = from
  let fence = ''
  let isBlank = false
  let at = end
  while (at < text.length) {
    const stop = text.indexOf('\n', at)
    // The last line may go on in any way.
    if (stop < 0) break
    const line = text.slice(at, stop)
    if (isBlank && !fence && line.trim() !== '' && !GOES_ON.test(line)) {
      blocks.push(text.slice(end, at))
      end = at
    }
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (mark && !fence) fence = mark
    else if (fence && mark[0] === fence[0] && mark.length >= fence.length && /^\s*[`~]+\s*$/.test(line))
      fence = ''
    isBlank = line.trim() === ''
    at = stop + 1
  }
  return { text, blocks, end }
}
