import type { Emitted } from './live-runs.ts'

export type Phase = 'commentary' | 'final_answer'

const marks: Readonly<Record<Phase, string>> = { commentary: '\0c', final_answer: '\0f' }

export interface Piece {
  readonly phase: Phase
  readonly text: string
}

/** Text with its phases as one string, in which a mark stands wherever the phase changes. */
export function encode(pieces: Iterable<Piece>): string {
  let text = ''
  let last: Phase | undefined
  for (const piece of pieces) {
    text += (piece.phase === last ? '' : marks[piece.phase]) + piece.text
    last = piece.phase
  }
  return text
}

const decode = (text: string, first: Phase): Piece[] =>
  text
    .split(/(\0[cf])/)
    .reduce<Piece[]>(
      (pieces, part) => {
        const phase =
          part === marks.commentary ? 'commentary' : part === marks.final_answer ? 'final_answer' : undefined
        if (phase) pieces.push({ phase, text: '' })
        else if (part) pieces.splice(-1, 1, { phase: pieces.at(-1)?.phase ?? first, text: part })
        return pieces
      },
      [{ phase: first, text: '' }]
    )
    .filter(({ text }) => text !== '')

export interface Filtered {
  /** What readers get now. */
  readonly pieces: readonly Piece[]
  /** It differs from what they saw: that does not count any more. */
  readonly restarted: boolean
}

const nothing: Filtered = { pieces: [], restarted: false }

/**
 * The text of a step that was cut and is asked again: held back while it repeats what readers saw, and going on
 * from there. Once it is past that, or differs, `over` is true and it need not be asked any more.
 */
export function createReplayFilter({ text: emitted }: Emitted) {
  let said = ''
  let last: Phase | undefined
  let over = false

  function differ(): Filtered {
    over = true
    return { pieces: decode(said, 'final_answer'), restarted: true }
  }

  return {
    get over() {
      return over
    },
    filter(phase: Phase, text: string): Filtered {
      said += encode([{ phase, text }]).slice(phase === last ? 2 : 0)
      last = phase
      if (emitted.startsWith(said)) {
        over = emitted.length === said.length
        return nothing
      }
      if (!said.startsWith(emitted)) return differ()
      over = true
      return { pieces: decode(said.slice(emitted.length), phase), restarted: false }
    },
    /** The reply is complete: if it is shorter than what was seen, it is another one. */
    end: (): Filtered => (over ? nothing : differ())
  }
}
