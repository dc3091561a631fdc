/** A frame of Server-Sent Events, and when the end of it came. */
export interface Frame {
  readonly at: number
  readonly event: Readonly<Record<string, unknown>>
  /** The tokens in it: a run's `token` event may hold several, a model's chunk holds one. */
  readonly words: readonly string[]
}

const DATA = 'data: '
const NOTHING: readonly string[] = []

const wordsOf = (content: unknown): readonly string[] =>
  typeof content === 'string' && content !== '' ? content.trimEnd().split(' ') : NOTHING

function frame(text: string, at: number): Frame | undefined {
  const from = text.startsWith(DATA) ? 0 : text.indexOf(`\n${DATA}`) + 1
  if (!text.startsWith(DATA, from)) return undefined
  const data = text.slice(from + DATA.length)
  if (data === '[DONE]') return { at, event: { type: 'final' }, words: NOTHING }
  const event = JSON.parse(data)
  if (event.type === 'keepalive') return undefined
  const content = event.type === 'token' ? event.content : event.choices?.[0]?.delta.content
  return { at, event, words: wordsOf(content) }
}

/** Cuts what comes into frames. */
export function createFrames() {
  const decoder = new TextDecoder()
  let text = ''
  return {
    take(bytes: Uint8Array, at: number): Frame[] {
      text += decoder.decode(bytes, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() as string
      return parts.flatMap((part) => frame(part, at) ?? [])
    }
  }
}

/** Throws when an event is missing, or the last one is not the end that was hoped for. */
export function wholeFrames(pieces: readonly { at: number; bytes: Uint8Array }[]): Frame[] {
  const { take } = createFrames()
  const frames = pieces.flatMap(({ at, bytes }) => take(bytes, at))
  const numbers = frames.flatMap(({ event }) => (typeof event.seq === 'number' ? event.seq : []))
  const gap = numbers.findIndex((seq, index) => index > 0 && seq !== (numbers[index - 1] as number) + 1)
  if (gap > 0) throw new Error(`After event ${numbers[gap - 1]} came ${numbers[gap]}`)
  const last = frames.at(-1)?.event
  if (last?.type !== 'final') throw new Error(`A stream ended with ${JSON.stringify(last)}`)
  return frames
}
