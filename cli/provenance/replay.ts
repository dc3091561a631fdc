import { hash } from 'node:crypto'

type Item = Readonly<Record<string, unknown>>

export interface Replayed {
  readonly runId: string
  /** Events as the run's readers had them, a line of JSON each. */
  readonly log: string
  /** It is what was signed, byte by byte. */
  readonly isSame: boolean
}

/** Makes the events of runs anew, from what their models and tools said, as a bundle of mode `full` has it. */
export function replay(items: readonly Item[]): Replayed[] {
  return items
    .filter(({ type }) => type === 'events')
    .map((events) => {
      const runId = String(events.runId)
      const fill = filler(items.filter((item) => item.runId === runId))
      const log = (events.frames as string[]).map((frame) => fill(frame)).join('\n')
      return { runId, log, isSame: hash('sha256', log) === events.sha256 }
    })
}

interface Part {
  readonly type?: string
  readonly text?: string
}

function filler(items: readonly Item[]) {
  const tools = new Map(items.filter(({ type }) => type === 'tool').map((item) => [item.id, item]))
  const texts = new Map<number, string>()
  for (const { type, id, parts, content } of items) {
    if (type === 'answer') texts.set(0, String(content))
    if (type === 'reply') {
      const text = (parts as Part[]).map((part) => (part.type === 'text' ? part.text : '')).join('')
      texts.set(Number(String(id).split('/')[1]), text)
    }
  }
  const filled = (value: unknown): unknown => {
    const { $text, $args, $result } = (value ?? {}) as { $text?: number[]; $args?: string; $result?: string }
    if ($text) return texts.get($text[0] as number)?.slice($text[1], $text[2])
    if ($args !== undefined) return tools.get($args)?.args
    if ($result !== undefined) return tools.get($result)?.result
    return value
  }
  return (frame: string): string => {
    const event = JSON.parse(frame)
    if (typeof event.$line === 'string') return event.$line
    for (const name of ['content', 'args', 'output']) if (name in event) event[name] = filled(event[name])
    return JSON.stringify(event)
  }
}
