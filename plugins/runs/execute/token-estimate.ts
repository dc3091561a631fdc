/** A careful estimate: English has four, code and other languages fewer. */
export const CHARACTERS_PER_TOKEN = 3.5
const LATIN = 1 / CHARACTERS_PER_TOKEN
/** What a message costs beside its text: its role, and marks around it. */
export const MESSAGE_TOKENS = 4
/** What an image of 1,024 pixels a side costs at most, with the vendors that count most. */
export const IMAGE_TOKENS = 1_600

/** Blocks of Unicode by their last code unit, with the tokens of a code unit; tokenizers of vendors need about as many, or fewer. */
const BLOCKS: readonly (readonly [last: number, tokens: number])[] = [
  [0x7f, LATIN],
  // Letters with accents, then Greek, Cyrillic, Armenian and Hebrew, Arabic.
  [0x36f, 0.45],
  [0x3ff, 0.6],
  [0x52f, 0.45],
  [0x5ff, 0.7],
  [0x8ff, 0.55],
  // Devanagari and its relatives, Thai and Lao, Tibetan to Khmer.
  [0xdff, 0.7],
  [0xeff, 0.7],
  [0x109f, 1.2],
  [0x10ff, 0.8],
  [0x11ff, 1],
  [0x1dff, 1],
  [0x1fff, 0.6],
  // Punctuation and symbols.
  [0x2fff, 0.8],
  // Han, kana and hangul; then code units that make up emoji and rare characters.
  [0xd7ff, 1],
  [0xdfff, 1],
  [0xffff, 1]
]

/** Tokens of a code unit, by its upper eight bits, where a block does not end within them. */
const UPPER = Float32Array.from({ length: 256 }, (_, upper) => ofBlock(upper << 8))
const LOWER = Float32Array.from({ length: 0x1200 }, (_, unit) => ofBlock(unit))

function ofBlock(unit: number): number {
  return BLOCKS.find(([last]) => unit <= last)?.[1] ?? 1
}

/** An estimate of the tokens of a text, by the scripts that it is written in. */
export function tokensIn(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    tokens += unit < 0x80 ? LATIN : ((unit < 0x1200 ? LOWER[unit] : UPPER[unit >> 8]) as number)
  }
  return tokens
}

/** Where a text ends that has so many tokens; its length where it has fewer. */
export function cutAt(text: string, tokens: number): number {
  let left = tokens
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    left -= unit < 0x80 ? LATIN : ((unit < 0x1200 ? LOWER[unit] : UPPER[unit >> 8]) as number)
    if (left < 0) return at
  }
  return text.length
}
