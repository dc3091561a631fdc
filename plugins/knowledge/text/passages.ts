import type { Heading, Span, Structure } from './markdown.ts'

/** A piece of a text that is searched and cited: positions in that text, in UTF-16 code units. */
export interface TextPassage extends Span {
  /** The headings that it stands under, from the outermost. */
  readonly heading: string | null
  /** That it stands on, from 1; null where the text has no pages. */
  readonly page: number | null
}

/** About a page of a book: small enough to be cited, large enough to be understood. */
const MOST = 1_600
/** A section shorter than that goes on into the next one. */
const LEAST = 240
/** What a passage repeats of the one before, where a section is cut. */
const OVERLAP = 200

/** Sections by headings; long ones are cut between blocks, else between words, and overlap. */
export function passagesOf(
  text: string,
  { blocks, headings }: Structure,
  page: number | null = null
): TextPassage[] {
  const passages: TextPassage[] = []
  const above: Heading[] = []
  const headingAt = new Map(headings.map((heading) => [heading.start, heading]))
  let current: TextPassage | undefined
  /** The headings of what was added last. */
  let last: string | null = null

  const close = () => {
    if (current && text.slice(current.start, current.end).trim() !== '') passages.push(current)
    current = undefined
  }
  for (const block of blocks) {
    const heading = headingAt.get(block.start)
    if (heading) {
      while ((above.at(-1)?.depth ?? 0) >= heading.depth) above.pop()
      above.push(heading)
      if (current && current.end - current.start >= LEAST) close()
    }
    const trail =
      above
        .map((it) => it.text)
        .join(' › ')
        .slice(0, 500) || null
    for (const part of parts(text, block)) {
      if (current && part.end - current.start > MOST) {
        const from: number = overlapFrom(text, current)
        const isOfSection = last === trail && !heading
        close()
        current = {
          start: isOfSection && part.end - from <= MOST + OVERLAP ? from : part.start,
          end: part.end,
          heading: trail,
          page
        }
      } else if (current) current = { ...current, end: part.end }
      else current = { ...part, heading: trail, page }
      last = trail
    }
  }
  close()
  return passages
}

/** A block that is too long, cut behind a sentence, else behind a word. */
function* parts(text: string, { start, end }: Span): Generator<Span> {
  let at = start
  while (end - at > MOST) {
    const window = text.slice(at, at + MOST)
    const sentence = Math.max(
      ...['. ', '.\n', '! ', '? ', '\n\n'].map((mark) => window.lastIndexOf(mark) + 1)
    )
    const word = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n')) + 1
    const cut = sentence > MOST / 2 ? sentence : word > MOST / 2 ? word : whole(text, at + MOST) - at
    yield { start: at, end: at + cut }
    at += cut
  }
  if (at < end) yield { start: at, end }
}

/** Never between the halves of one character. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at)

function overlapFrom(text: string, { start, end }: Span): number {
  const from = Math.max(start, end - OVERLAP)
  const word = text.slice(from, end).search(/\s\S/)
  return word < 0 ? end : from + word + 1
}
