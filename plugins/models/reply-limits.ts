import { upstreamFailed } from 'agent-platform'

/** What the reply of a model may hold, counted while it is read: its server may be hostile. */
export const replyLimits = {
  calls: 128,
  /** Characters of the name of a tool, and of the id of a call: some servers put a signature there. */
  name: 256,
  id: 8_192,
  /** Characters of the arguments of all calls together, and how many values those may hold. */
  input: 1_048_576,
  values: 100_000,
  /** Texts and thoughts, one after the other. */
  blocks: 1_024,
  /** Characters of one event, and of all. */
  event: 524_288,
  total: 134_217_728
} as const

const failure = (what: string, code = 'reply_too_large') => upstreamFailed(`The model ${what}`, { code })

/** Counts the calls of one reply and their arguments, and throws at the first that is too much. */
export function createCallLimits() {
  let calls = 0
  let input = 0
  let values = 0
  return {
    call(): void {
      if (++calls <= replyLimits.calls) return
      throw failure(`made more than ${replyLimits.calls} calls at once`, 'too_many_calls')
    },
    name(name: string): void {
      if (name.length > replyLimits.name)
        throw failure(`named a tool by more than ${replyLimits.name} characters`)
    },
    id(id: string): void {
      if (id.length > replyLimits.id) throw failure(`named a call by more than ${replyLimits.id} characters`)
    },
    input(piece: string): void {
      input += piece.length
      if (input > replyLimits.input) throw failure('gave its calls arguments of more than 1 MiB')
      for (let at = 0; at < piece.length; at++) if (isSeparator(piece.charCodeAt(at))) values++
      if (values > replyLimits.values) throw tooManyValues(replyLimits.values)
    }
  }
}

/** Before each value of JSON but the first stands one of `,`, `[`, `{`; those within texts are counted as well. */
const isSeparator = (code: number) => code === 44 || code === 91 || code === 123

export const tooManyValues = (limit: number) => failure(`sent more than ${limit} values at once`)
export const tooManyBlocks = () => failure(`changed between text and thoughts ${replyLimits.blocks} times`)
export const tooLargeEvent = () => failure('sent an event of more than 512 KiB')
export const tooLargeReply = () => failure('sent more than 128 MiB')
