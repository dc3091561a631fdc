import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChatBody } from '../model-server/script.ts'
import { lastOfUser } from '../model-server/script.ts'
import type { ModelRequest, ModelServer } from '../model-server.ts'
import { startModelServer } from '../model-server.ts'
import type { Scope } from './place.ts'

/** How a run goes: what its user says, as JSON, is what its model does. */
export interface Story {
  /** Tells the requests of one run from those of others. */
  readonly name: string
  /** The tools that each step calls, after its words; the step behind them calls none. */
  readonly calls: readonly (readonly string[])[]
  /** Of each step. */
  readonly words: number
  /** Milliseconds between two words. */
  readonly pace: number
  /** Further characters of each word. */
  readonly bulk?: number
  /** From this word on, a step that is asked again says something else. */
  readonly wander?: number
}

/** A request to the model. */
export interface Ask {
  /** When, in `performance.now()`. */
  readonly at: number
  readonly step: number
  /** How often the step was asked before. */
  readonly again: number
  /** The whole of the reply, also where nobody stayed to hear it. */
  readonly text: string
  /** What the model was told of the calls of the step before. */
  readonly results: readonly string[]
  /** What had been said in the session before. */
  readonly history: readonly string[]
}

async function drained(response: ServerResponse): Promise<void> {
  const left = new AbortController()
  const leave = () => left.abort()
  response.once('close', leave)
  await once(response, 'drain', left).catch(() => undefined)
  response.off('close', leave)
}

const textsOf = (messages: ChatBody['messages']) => messages.map(({ content }) => String(content))

/** What one reply counts as. */
export const usage = { inputTokens: 100, outputTokens: 7 }

/** A model that plays stories, with words before its calls, and remembers what it was asked. */
export async function storyteller(t: Scope): Promise<ModelServer & { of(name: string): readonly Ask[] }> {
  const asks = new Map<string, Ask[]>()
  const of = (name: string) => {
    const known = asks.get(name) ?? []
    asks.set(name, known)
    return known
  }

  async function respond({ body: { messages } }: ModelRequest, response: ServerResponse): Promise<void> {
    const story: Story = JSON.parse(lastOfUser(messages))
    const { name, calls, words, pace, bulk = 0, wander = words } = story
    const before = of(name)
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const turns = messages.slice(last + 1)
    const step = turns.filter(({ role }) => role === 'assistant').length + 1
    const again = before.filter((ask) => ask.step === step).length
    const rest = `${'-'.repeat(bulk)} `
    const word = (n: number) => `${step}.${n}${again > 0 && n >= wander ? `!${again}` : ''}${rest}`
    const text = Array.from({ length: words }, (_, n) => word(n)).join('')
    const results = turns.slice(turns.findLastIndex(({ role }) => role === 'assistant') + 1)
    // Where there are tools the system says what to make of their results.
    const history = textsOf(messages.slice(0, last).filter(({ role }) => role !== 'system'))
    before.push({ at: performance.now(), step, again, text, results: textsOf(results), history })

    const event = (delta: object, reason: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let n = 0; n < words && !response.destroyed; n++) {
      if (pace > 0) await delay(pace)
      if (!event({ content: word(n) })) await drained(response)
    }
    for (const [index, tool] of (calls[step - 1] ?? []).entries())
      event({ tool_calls: [{ index, id: `${step}-${index}`, function: { name: tool, arguments: '{}' } }] })
    event({}, calls[step - 1] ? 'tool_calls' : 'stop')
    const { inputTokens: prompt_tokens, outputTokens: completion_tokens } = usage
    response.end(
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens, completion_tokens } })}\n\ndata: [DONE]\n\n`
    )
  }

  return { ...(await startModelServer(t, { respond })), of }
}
