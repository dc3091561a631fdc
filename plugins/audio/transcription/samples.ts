/** What the model hears. */
export const RATE = 16_000

/** One channel at the model's rate: channels are mixed, and what lies above its highest tone is averaged away. */
export function heard(channels: readonly Float32Array[], rate: number): Float32Array {
  const length = Math.max(0, ...channels.map((channel) => channel.length))
  const mixed = new Float32Array(length)
  for (const channel of channels)
    for (let at = 0; at < channel.length; at++)
      mixed[at] = (mixed[at] ?? 0) + (channel[at] ?? 0) / channels.length
  return rate === RATE ? mixed : resampled(mixed, rate)
}

/** Each sample is the average of what lies around it, weighted by a triangle. */
function resampled(from: Float32Array, rate: number): Float32Array {
  const step = rate / RATE
  const reach = Math.max(1, step)
  const to = new Float32Array(Math.floor(from.length / step))
  for (let at = 0; at < to.length; at++) {
    const middle = at * step
    let sum = 0
    let weights = 0
    const last = Math.min(from.length - 1, Math.floor(middle + reach))
    for (let near = Math.max(0, Math.ceil(middle - reach)); near <= last; near++) {
      const weight = 1 - Math.abs(near - middle) / reach
      sum += weight * (from[near] ?? 0)
      weights += weight
    }
    to[at] = weights === 0 ? 0 : sum / weights
  }
  return to
}

export interface Piece {
  readonly from: number
  readonly to: number
}

const LONGEST = 20 * RATE
const SHORTEST = 8 * RATE
const WINDOW = RATE / 10

/** Pieces that the model can hear at once, each cut where it is quietest. */
export function pieces(samples: Float32Array): Piece[] {
  const found: Piece[] = []
  let from = 0
  while (samples.length - from > LONGEST) {
    let best = from + LONGEST
    let least = Number.POSITIVE_INFINITY
    for (let at = from + SHORTEST; at + WINDOW <= from + LONGEST; at += WINDOW) {
      const loud = loudness(samples, at, at + WINDOW)
      if (loud >= least) continue
      least = loud
      best = at + WINDOW / 2
    }
    found.push({ from, to: best })
    from = best
  }
  found.push({ from, to: samples.length })
  return found
}

/** Root of the mean square. */
export function loudness(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += (samples[at] ?? 0) ** 2
  return to > from ? Math.sqrt(sum / (to - from)) : 0
}
