import type { Live } from './live-runs.ts'
import type { Filtered, Phase } from './replay-filter.ts'
import { createReplayFilter } from './replay-filter.ts'
import { createWholeCharacters } from './whole-characters.ts'

/** `seq` of the first and last of some events. */
export interface Span {
  readonly from: number
  readonly to: number
}

export type Output = ReturnType<typeof createOutput>

/** Where the text of one call of the model goes: to the readers, held back while it repeats what they saw. */
export function createOutput(live: Live) {
  const { writer, run, emitted } = live
  live.hasSpoken = false
  const replayFilter = emitted && createReplayFilter(emitted)
  const characters = createWholeCharacters()
  let text = ''
  let length = 0
  let isEmitted = false
  /** Where its text stands in the stream. */
  let said: Span | undefined = emitted && { from: emitted.from, to: emitted.to }

  function emit({ pieces, restarted }: Filtered) {
    if (restarted && emitted) {
      const supersedes = { from: emitted.from, to: emitted.to }
      const step = live.steps.length + 1
      writer.append('status', { status: 'restarted', step, attempt: run.attempt, supersedes })
      live.emitted = undefined
      said = undefined
    }
    for (const piece of pieces) publish(piece.phase, piece.text)
    if (restarted || pieces.length > 0) isEmitted = true
  }

  function publish(phase: Phase, content: string) {
    live.hasSpoken = true
    const seq = writer.token(content, phase)
    if (phase === 'final_answer') said = { from: said?.from ?? seq, to: seq }
  }

  return {
    /** The answer so far, without thoughts. */
    get text() {
      return text
    },
    /** The events that hold it; undefined while there is none. */
    get said() {
      return text === '' ? undefined : said
    },
    /** Characters of all. */
    get length() {
      return length
    },
    /** Readers saw something of it. */
    get isEmitted() {
      return isEmitted
    },
    /** What a reply holds beside its text counts as well. */
    count(characters: number) {
      length += characters
    },
    say(phase: Phase, said: string) {
      const whole = characters.add(phase, said)
      // No text of PostgreSQL holds it, and no answer needs it.
      const delta = whole.includes('\0') ? whole.replaceAll('\0', '') : whole
      if (delta === '') return
      length += delta.length
      if (phase === 'final_answer') text += delta
      if (replayFilter && !replayFilter.over) emit(replayFilter.filter(phase, delta))
      else {
        isEmitted = true
        publish(phase, delta)
      }
      // Until then readers know more than this.
      if (!replayFilter || replayFilter.over) live.content = text
    },
    /** The reply is complete. */
    end() {
      if (replayFilter && !replayFilter.over) emit(replayFilter.end())
      live.emitted = undefined
      live.content = text
    }
  }
}
