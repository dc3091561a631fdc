import type { Live } from './live-runs.ts'
import type { Phase, Told } from './retelling.ts'
import { createRetelling } from './retelling.ts'

export type Output = ReturnType<typeof createOutput>

/** Where the text of one call of the model goes: to the readers, held back while it repeats what they saw. */
export function createOutput(live: Live) {
  const { writer, run, shown } = live
  const retelling = shown && createRetelling(shown)
  let text = ''
  let length = 0
  let told = false

  function show({ pieces, restarted }: Told) {
    if (restarted && shown) {
      const supersedes = { from: shown.from, to: shown.to }
      const step = live.steps.length + 1
      writer.append('status', { status: 'restarted', step, attempt: run.attempt, supersedes })
      live.shown = undefined
    }
    for (const piece of pieces) writer.token(piece.text, piece.phase)
    if (restarted || pieces.length > 0) told = true
  }

  return {
    /** The answer so far, without thoughts. */
    get text() {
      return text
    },
    /** Characters of all. */
    get length() {
      return length
    },
    /** Readers saw something of it. */
    get told() {
      return told
    },
    /** What a reply holds beside its text counts as well. */
    count(characters: number) {
      length += characters
    },
    say(phase: Phase, said: string) {
      // No text of PostgreSQL holds it, and no answer needs it.
      const delta = said.includes('\0') ? said.replaceAll('\0', '') : said
      if (delta === '') return
      length += delta.length
      if (phase === 'final_answer') text += delta
      if (retelling && !retelling.over) show(retelling.tell(phase, delta))
      else {
        told = true
        writer.token(delta, phase)
      }
      // Until then readers know more than this.
      if (!retelling || retelling.over) live.content = text
    },
    /** The reply is complete. */
    end() {
      if (retelling && !retelling.over) show(retelling.end())
      live.shown = undefined
      live.content = text
    }
  }
}
