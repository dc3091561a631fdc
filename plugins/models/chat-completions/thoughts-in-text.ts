/** Marks around thoughts, as models write them where their server does not read them. */
const marks: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷']
]
const CLOSE = '</think>'
/** Characters of a thought that are kept, should it turn out to be the answer. */
const KEPT = 1_048_576

export interface ThoughtOptions {
  readonly say: (kind: 'text' | 'reasoning', delta: string) => void
  /** Its replies begin within a thought: the template of the model has opened it. */
  readonly beginsInThought: boolean
  /** Called when a reply closes a thought that it did not open. */
  readonly foundClose: () => void
}

/**
 * Reads thoughts at the beginning of a text, cut anywhere: `<think>…</think>`, or only `…</think>`. A mark further on in
 * the text is text: it may be an answer about such marks.
 */
export function createThoughtReader({ say, beginsInThought, foundClose }: ThoughtOptions) {
  let state: 'beginning' | 'thought' | 'after' | 'text' = beginsInThought ? 'thought' : 'beginning'
  let close = CLOSE
  /** Might be a part of a mark. */
  let held = ''
  /** A thought that no mark has opened. */
  let unopened = ''

  function begin(): void {
    const trimmed = held.trimStart()
    const mark = marks.find(([open]) => trimmed.startsWith(open))
    if (mark) {
      held = trimmed.slice(mark[0].length)
      close = mark[1]
      state = 'thought'
      think()
    } else if (trimmed === '' || marks.some(([open]) => open.startsWith(trimmed))) {
      // The rest of a mark may come.
    } else pass()
  }

  function think(): void {
    // One that begins within a thought may open it all the same.
    if (beginsInThought && unopened === '') {
      const trimmed = held.trimStart()
      if ('<think>'.startsWith(trimmed) && trimmed !== '<think>') return
      if (trimmed.startsWith('<think>')) held = trimmed.slice(7)
    }
    const at = held.indexOf(close)
    if (at < 0) {
      const keep = beginningOf(close, held)
      sayThought(held.slice(0, held.length - keep))
      held = held.slice(held.length - keep)
      return
    }
    sayThought(held.slice(0, at))
    held = held.slice(at + close.length)
    unopened = ''
    state = 'after'
    follow()
  }

  function sayThought(thought: string): void {
    if (thought === '') return
    if (beginsInThought && unopened.length < KEPT) unopened += thought
    say('reasoning', thought)
  }

  /** Between a thought and the text there is white space; another thought may follow. */
  function follow(): void {
    held = held.trimStart()
    if (held !== '') begin()
  }

  function pass(): void {
    state = 'text'
    const text = held
    held = ''
    if (text === '') return
    if (text.length >= CLOSE.length && text.includes(CLOSE)) foundClose()
    say('text', text)
  }

  return {
    text(delta: string): void {
      if (state === 'text') {
        if (delta.length >= CLOSE.length && delta.includes(CLOSE)) foundClose()
        say('text', delta)
        return
      }
      held += delta
      if (state === 'thought') think()
      else if (state === 'after') follow()
      else begin()
    },
    /** Nothing more comes. A thought that nobody opened or closed was the answer. */
    end(): void {
      const { length } = unopened
      if (state === 'thought' && beginsInThought && (length > 0 || held !== '')) {
        const answer = unopened + held
        state = 'text'
        held = ''
        if (answer.trim() !== '') say('text', answer)
      } else if (state === 'thought' && held !== '') say('reasoning', held)
      else if (held.trim() !== '') pass()
    }
  }
}

/** How many of the last characters of a text begin a mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (mark.startsWith(text.slice(text.length - length))) return length
  return 0
}

/** Models whose templates open a thought themselves, by their names. */
export const beginsInThought = (modelId: string): boolean =>
  ['deepseek-r1', 'r1-distill', 'qwq', 'thinking-2507'].some((name) => modelId.toLowerCase().includes(name))
