import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

type Message = LanguageModelV4Message
type AssistantPart = Extract<Message, { role: 'assistant' }>['content'][number]
export type Random = () => number

/** Numbers from 0 to 1, the same ones for a seed. */
export function randomBy(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** A history as sessions get them: of answers, calls, failures, cancellations, empty replies, and trimmed anywhere. */
export function randomHistory(random: Random, provider: string): LanguageModelV4Prompt {
  const chance = (share: number) => random() < share
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const text = () => pick(['Hello', 'a longer text\nof two lines', '', ' ', '\n\n', 'ünï 你好'])
  const name = () => pick(['look', 'look', 'no.such.tool', '3d', 'functions.look', 'a b', 'x'.repeat(90), ''])
  const id = () =>
    pick(['call_0', 'call_0', 'toolu_1', '', 'a.b/c', 'x'.repeat(300), `call_${Math.floor(random() * 1e9)}`])
  const signed = () =>
    chance(0.3) && { providerOptions: { [provider]: { signature: 'c2ln', thoughtSignature: 'c2ln' } } }
  const history: Message[] = []

  function said(): AssistantPart[] {
    const parts: AssistantPart[] = []
    if (chance(0.3)) parts.push({ type: 'reasoning', text: text(), ...signed() })
    if (chance(0.8)) parts.push({ type: 'text', text: text(), ...(chance(0.2) && signed()) })
    if (chance(0.1)) parts.push({ type: 'reasoning', text: 'once more', ...signed() })
    return parts
  }

  for (let turn = 0; turn < 1 + random() * 8; turn++) {
    if (chance(0.1)) history.push({ role: 'system', content: text() })
    if (chance(0.9)) {
      const data = { type: 'data' as const, data: 'iVBORw0KGgo=' }
      history.push({
        role: 'user',
        content: [
          { type: 'text', text: text() },
          ...(chance(0.1) ? [{ type: 'file' as const, mediaType: 'image/png', data }] : [])
        ]
      })
    }
    while (chance(0.4)) {
      const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
        type: 'tool-call' as const,
        toolCallId: id(),
        toolName: name(),
        input: pick<unknown>([{}, { at: 'sky' }, null, '', '{"at":', '{"at":"sky"}', [1], 7])
      }))
      history.push({ role: 'assistant', content: [...said(), ...calls, ...(chance(0.2) ? said() : [])] })
      for (const { toolCallId, toolName } of calls)
        if (chance(0.85))
          history.push({
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text() } }]
          })
    }
    if (chance(0.7)) history.push({ role: 'assistant', content: said() })
  }
  const trimmed = chance(0.5) ? history.slice(Math.floor(random() * history.length)) : history
  return [
    ...(chance(0.8) ? [{ role: 'system' as const, content: 'You are an agent.' }] : []),
    ...trimmed,
    ...(chance(0.8)
      ? [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'And now?' }] }]
      : [])
  ]
}
