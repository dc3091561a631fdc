import type { LanguageModelV4Message } from '@ai-sdk/provider'

type Message = LanguageModelV4Message
type Part = Exclude<Message['content'], string>[number]

/** Stands ahead of a message of the assistant that nothing is shown before. */
const BEGINNING = '(The conversation so far:)'
/** Stands where a run ended after its calls, before it answered. */
const UNANSWERED = '(This reply ended after its tool calls.)'
/** Stands where nothing of the user follows. */
const CONTINUE = '(Continue.)'

const said = (role: 'user' | 'assistant', text: string): Message =>
  ({ role, content: [{ type: 'text', text }] }) satisfies Message

/** System text ahead of all else; `asOne`: in one message. */
export function withSystemFirst(prompt: readonly Message[], asOne: boolean): readonly Message[] {
  const system = prompt.filter((message) => message.role === 'system')
  const isFirst = system.every((message, at) => message === prompt[at])
  if (isFirst && (system.length < 2 || !asOne)) return prompt
  const others = prompt.filter(({ role }) => role !== 'system')
  if (!asOne) return [...system, ...others]
  return [{ role: 'system', content: system.map(({ content }) => content).join('\n\n') }, ...others]
}

/** Turns of the user and the assistant by turns, the user's first and last; results of tools belong to the assistant's. */
export function alternating(prompt: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const message of prompt) {
    const last = turns.at(-1)
    if (last && last.role === message.role && message.role !== 'system') {
      turns[turns.length - 1] = joined(last, message)
      continue
    }
    if (message.role === 'assistant' && (!last || last.role === 'system')) turns.push(said('user', BEGINNING))
    if (message.role === 'user' && last?.role === 'tool') turns.push(said('assistant', UNANSWERED))
    turns.push(message)
  }
  const end = turns.at(-1)?.role
  if (end !== 'user' && end !== 'tool') turns.push(said('user', CONTINUE))
  return turns
}

function joined(one: Message, other: Message): Message {
  const first = ownOptions(one)
  const second = [...(other.content as readonly Part[])]
  const [next] = second
  const apart =
    one.role === 'assistant' && first.at(-1)?.type === 'text' && next?.type === 'text'
      ? [{ ...next, text: `\n\n${next.text}` }, ...second.slice(1)]
      : second
  return { ...other, content: [...first, ...apart] } as Message
}

/** Parts of a message, the last one with the options of the message: they apply to its end. */
function ownOptions({ content, providerOptions }: Message): Part[] {
  const parts = [...(content as readonly Part[])]
  const last = parts.at(-1)
  if (providerOptions && last)
    parts[parts.length - 1] = {
      ...last,
      providerOptions: { ...providerOptions, ...last.providerOptions }
    } as Part
  return parts
}
