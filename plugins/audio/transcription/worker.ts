import { decode } from './decode.ts'
import { loadMoonshine } from './moonshine.ts'
import { heard, loudness, pieces, RATE } from './samples.ts'

export interface Question {
  readonly bytes: Uint8Array
  readonly maxSeconds: number
}
export interface Segment {
  readonly start: number
  readonly end: number
  readonly text: string
}
/** What was said, or why not. */
export type Written =
  | { readonly segments: readonly Segment[]; readonly seconds: number }
  | { readonly fault: 'unreadable' | 'too long' | 'failed' }

/** Below it there is nothing to hear, and the model would make something up. */
const QUIET = 0.0015
/** The model wants a tenth of a second at least. */
const LEAST = RATE / 10

let loading: ReturnType<typeof loadMoonshine> | undefined

async function write({ bytes, maxSeconds }: Question): Promise<Written> {
  let samples: Float32Array
  try {
    const { channelData, sampleRate } = await decode(bytes)
    if (!(sampleRate >= 4_000 && sampleRate <= 384_000) || channelData.length === 0)
      return { fault: 'unreadable' }
    if ((channelData[0]?.length ?? 0) / sampleRate > maxSeconds) return { fault: 'too long' }
    samples = heard(channelData, sampleRate)
  } catch {
    return { fault: 'unreadable' }
  }
  try {
    loading ??= loadMoonshine()
    const model = await loading
    const segments: Segment[] = []
    for (const { from, to } of pieces(samples)) {
      if (to - from < LEAST || loudness(samples, from, to) < QUIET) continue
      const text = await model(samples.slice(from, to))
      if (text !== '') segments.push({ start: from / RATE, end: to / RATE, text })
    }
    return { segments, seconds: samples.length / RATE }
  } catch {
    return { fault: 'failed' }
  }
}

process.send?.('ready')
process.on('message', async (question: Question) => process.send?.(await write(question)))
