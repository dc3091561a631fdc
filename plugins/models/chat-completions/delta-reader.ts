import { textOf, thoughtOf } from './chunk.ts'
import type { Delta } from './delta-fast-path.ts'
import type { ThoughtField } from './opaque.ts'
import { createRetainer, holdsRetained } from './opaque.ts'
import type { CallDelta } from './tool-calls.ts'

interface Deps {
  readonly sayText: (text: string) => void
  readonly sayThought: (thought: string) => void
  readonly addCall: (call: CallDelta) => void
  /** Told of deltas that do nothing but say something. */
  readonly learn: (data: string, delta: Delta) => void
}

/** Reads what a delta says: text, thoughts, calls, and data that the server wants back. */
export function createDeltaReader({ sayText, sayThought, addCall, learn }: Deps) {
  const retainer = createRetainer()
  let thoughts: ThoughtField | undefined

  return {
    read(data: string, delta: Delta): void {
      const { reasoning_content, reasoning, reasoning_text, content, refusal, tool_calls, function_call } =
        delta
      const thought = reasoning_content || reasoning || reasoning_text || thoughtOf(content)
      if (thought && typeof thought === 'string') {
        if (reasoning_content || reasoning) thoughts ??= reasoning_content ? 'reasoning_content' : 'reasoning'
        sayThought(thought)
      }
      const isRetained = holdsRetained(delta)
      if (isRetained) retainer.add(delta)
      const text = textOf(content) || textOf(refusal)
      if (text) sayText(text)
      const called: readonly CallDelta[] = Array.isArray(tool_calls) ? tool_calls : []
      for (const call of called) addCall(call)
      // The one call of older servers.
      const isOld = typeof function_call === 'object' && function_call !== null && called.length === 0
      if (isOld) addCall({ index: 0, function: function_call })
      // Only events that say one thing are alike.
      if (called.length === 0 && !isOld && !(thought && text) && !isRetained) learn(data, delta)
    },
    /** The field in which thoughts came. */
    get thoughts() {
      return thoughts
    },
    /** Data of the message as a whole; undefined for none. */
    get retained() {
      return retainer.fields
    }
  }
}
