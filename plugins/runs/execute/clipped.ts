/** Share of the room that the beginning of a text gets; the rest is for its end. */
const HEAD = 0.7

/** The beginning and the end of a text that is longer than `room`; `note` says what is missing between them. */
export function clipped(text: string, room: number, note: (left: number) => string): string {
  if (text.length <= room) return text
  const head = Math.ceil(room * HEAD)
  const tail = Math.floor(room) - head
  const left = text.length - head - tail
  const end = tail > 0 ? text.slice(text.length - tail) : ''
  return `${text.slice(0, head)}\n[${note(left)}]\n${end}`.toWellFormed()
}
