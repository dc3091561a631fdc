/** From where to where something stands in a text. */
export type Range = readonly [from: number, to: number]

/** A part of a text, and what stands there afterwards. */
export type Change = readonly [...Range, instead: string]

/** A text that was made of another one. */
export interface Decoded {
  readonly text: string
  /** Where that which it was made of stood. */
  rangeOf(range: Range): Range
}

/** Takes down, one UTF-16 unit after the other, what a text of that length means. */
export function startDecoding(length: number) {
  const units = new Uint16Array(length)
  const starts = new Uint32Array(length)
  const ends = new Uint32Array(length)
  let count = 0
  return {
    put(unit: number, from: number, to: number): void {
      units[count] = unit
      starts[count] = from
      ends[count++] = to
    },
    end: (): Decoded => ({
      text: Buffer.from(units.buffer, 0, count * 2).toString('utf16le'),
      rangeOf: ([from, to]) => [starts[from] as number, ends[to - 1] as number]
    })
  }
}
