import type { Row } from './stream.ts'

/** Consecutive events on their way to readers, with the bytes that all of them share. */
export interface Part extends Pick<Row, 'seq' | 'last' | 'ended' | 'body'> {
  frames?: Buffer
  numberedFrames?: Buffer
}

/** The part behind `after`. */
export function behind(part: Part, after: number): Part {
  if (part.seq > after) return part
  let at = 0
  for (let seq = part.seq; seq <= after; seq++) at = part.body.indexOf('\n', at) + 1
  return { seq: after + 1, last: part.last, ended: part.ended, body: part.body.slice(at) }
}

/** As Server-Sent Events, encoded once; `numbered` ones carry an `id`. */
export function framesOf(part: Part, numbered: boolean): Buffer {
  if (numbered) {
    part.numberedFrames ??= encodeNumbered(part)
    return part.numberedFrames
  }
  part.frames ??= Buffer.from(`data: ${part.body.replaceAll('\n', '\n\ndata: ')}\n\n`)
  return part.frames
}

function encodeNumbered(part: Part): Buffer {
  let seq = part.seq
  const frames = part.body.split('\n').map((event) => `id: ${seq++}\ndata: ${event}\n\n`)
  return Buffer.from(frames.join(''))
}
