import type { Phase, Said } from './stream.ts'

/** Size of text after which an automatic chunk takes no further event. */
const chunkSize = 262_144

/** JSON before and after `seq`, as every event begins and ends. */
export function eventParts(
  idField: string,
  stream: string,
  { type, fields }: Said
): readonly [string, string] {
  if ('type' in fields || 'seq' in fields || idField in fields)
    throw new TypeError(`Fields of an event must not contain type, seq or ${idField}`)
  const rest = JSON.stringify(fields).slice(1)
  const id = `${JSON.stringify(idField)}:${JSON.stringify(stream)}`
  return [`{"type":${JSON.stringify(type)},${id},"seq":`, rest === '}' ? rest : `,${rest}`]
}

export interface Cut {
  readonly seq: number
  readonly last: number
  readonly body: string
}

/** The events of one stream that are not written yet, numbered from `next`. */
export function createBuffer(idField: string, stream: string, next: number) {
  let lines: string[] = []
  let size = 0
  let text = ''
  let textPhase: Phase = 'final_answer'

  function push(said: Said): number {
    const [before, behind] = eventParts(idField, stream, said)
    const line = `${before}${next}${behind}`
    lines.push(line)
    size += line.length
    return next++
  }

  /** Makes the text that was gathered one event. */
  function seal() {
    if (!text) return
    const content = text
    text = ''
    size -= content.length
    push({ type: 'token', fields: { phase: textPhase, content } })
  }

  function count(limit: number): number {
    let taken = 0
    for (let length = 0; taken < lines.length && taken < limit; taken++) {
      if (length >= chunkSize && limit !== Infinity) break
      length += lines[taken]?.length ?? 0
    }
    return taken
  }

  return {
    get empty() {
      return !lines.length && !text
    },
    get events() {
      return lines.length
    },
    /** Characters. */
    get size() {
      return size
    },
    /** `seq` of the last event, once text is sealed. */
    get last() {
      return next - 1
    },
    seal,
    append(said: Said): number {
      seal()
      return push(said)
    },
    token(content: string, phase: Phase): void {
      if (phase !== textPhase) seal()
      textPhase = phase
      text += content
      size += content.length
    },
    /** Takes the first events: all with a limit of Infinity. */
    cut(limit: number): Cut {
      seal()
      const seq = next - lines.length
      const taken = lines.splice(0, count(limit))
      for (const line of taken) size -= line.length
      return { seq, last: seq + taken.length - 1, body: taken.join('\n') }
    },
    /** Puts events back that were cut last; `dropped` of their last ones are forgotten, none may follow those. */
    restore({ body }: Pick<Cut, 'body'>, dropped: 0 | 1): void {
      const back = body.split('\n')
      if (dropped) {
        back.pop()
        next--
      }
      lines = [...back, ...lines]
      for (const line of back) size += line.length
    },
    clear(): void {
      lines = []
      text = ''
      size = 0
    }
  }
}
