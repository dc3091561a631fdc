import type { EventInput, Phase, Row } from './stream.ts'

/** Events of one chunk of the automatic flush, at most. */
const chunkEvents = 256
/** Characters that are flushed though nobody is known to read. */
const plenty = 65_536

/** The time now, as JSON; written anew only when it is another millisecond. */
let now = { ms: 0, json: '' }
function timeNow(): string {
  const ms = Date.now()
  if (ms !== now.ms) now = { ms, json: JSON.stringify(new Date(ms)) }
  return now.json
}

/** The events of one stream that are not durable yet, numbered from `next`; `isTimed`: each has the time that it came at. */
export function createBuffer(idField: string, stream: string, next: number, isTimed = false) {
  const id = `${JSON.stringify(idField)}:${JSON.stringify(stream)}`
  let lines: string[] = []
  let size = 0
  let text = ''
  let textPhase: Phase = 'final_answer'
  /** When its first piece came. */
  let textAt = ''

  function push({ type, fields }: EventInput, at = isTimed ? timeNow() : ''): number {
    if ('type' in fields || 'seq' in fields || idField in fields || (isTimed && 'at' in fields))
      throw new TypeError(`Fields of an event must not contain type, seq, ${idField} or its time`)
    const rest = JSON.stringify(fields).slice(1)
    const line = `{"type":${JSON.stringify(type)},${id},"seq":${next}${at && `,"at":${at}`}${rest === '}' ? rest : `,${rest}`}`
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
    push({ type: 'token', fields: { phase: textPhase, content } }, textAt)
  }

  return {
    empty: () => !lines.length && !text,
    /** Should be flushed though nobody is known to read. */
    full: () => lines.length >= chunkEvents || size >= plenty,
    /** Characters. */
    size: () => size,
    /** `seq` of the last event, once text is sealed. */
    last: () => next - 1,
    seal,
    append(said: EventInput): number {
      seal()
      return push(said)
    },
    /** The `seq` of the event that the text will stand in. */
    token(content: string, phase: Phase): number {
      if (phase !== textPhase) seal()
      textPhase = phase
      if (!text && isTimed) textAt = timeNow()
      text += content
      size += content.length
      return next
    },
    /** The first events, or all of them. They stay until they are durable. */
    peek(all: boolean): Pick<Row, 'seq' | 'last' | 'body'> {
      seal()
      const seq = next - lines.length
      const first = all ? lines : lines.slice(0, chunkEvents)
      return { seq, last: seq + first.length - 1, body: first.join('\n') }
    },
    /** Forgets the events up to `last`. */
    settle(last: number): void {
      for (const line of lines.splice(0, lines.length - (next - 1 - last))) size -= line.length
    },
    /** Takes the last events back. */
    undo(count: number): void {
      for (; count > 0; count--) {
        size -= lines.pop()?.length ?? 0
        next--
      }
    },
    clear(): void {
      lines = []
      text = ''
      size = 0
    }
  }
}
