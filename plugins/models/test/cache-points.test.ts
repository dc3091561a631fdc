import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { events, modelServer, modelsOf } from '../../../test/models.ts'
import { vendors } from './vendors-fixture.ts'

const text = (text: string, more: object = {}) => ({ type: 'text' as const, text, ...more })
const schema = { type: 'object' as const, properties: {} }
const tools = ['look', 'read'].map((name) => ({ type: 'function' as const, name, inputSchema: schema }))
const changing = { providerOptions: { 'agent-platform': { changing: true } } }

interface Block {
  readonly text?: string
  readonly cache_control?: object
}
interface Sent {
  readonly system: readonly Block[]
  readonly tools: readonly (Block & { readonly name: string })[]
  readonly messages: readonly { readonly content: readonly Block[] }[]
}

const asked = boot(t, 'outgoing', 'models').then(async () => {
  const server = await modelServer(t, (response) => events(response, vendors.anthropic?.reply ?? []))
  const env = { ANTHROPIC_BASE_URL: `${server.url}/v1`, ANTHROPIC_API_KEY: 'key' }
  const models = modelsOf(await boot(t, 'outgoing', 'models', { env }))
  const { languageModel } = await models.resolve('default', { modelProvider: 'anthropic', modelId: null })
  return async (call: LanguageModelV4CallOptions): Promise<Sent> => {
    await languageModel.doStream(call).then(({ stream }) => stream.cancel())
    return server.asked.at(-1)?.body as unknown as Sent
  }
})

t.test(
  'Anthropic is asked to cache tools, system prompt, the history, and the end of the prompt',
  async (t) => {
    const ask = await asked
    const sent = await ask({
      tools,
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [text('One')] },
        { role: 'assistant', content: [text('Two')] },
        { role: 'user', content: [text('Goals', changing)] },
        { role: 'user', content: [text('Three')] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'look',
              output: { type: 'text', value: 'Seen' }
            }
          ]
        }
      ]
    })
    const isMarked = ({ cache_control }: Block) => cache_control !== undefined
    t.same(sent.system.map(isMarked), [true])
    t.same(sent.tools.map(isMarked), [false, true])
    t.same(
      sent.messages.map(({ content }) => content.map(isMarked)),
      [[false], [true], [false, false], [false], [true]]
    )
  }
)

t.test('no prompt has more than four points, nor one at thoughts or blank texts', async (t) => {
  const ask = await asked
  const count = (it: unknown) => JSON.stringify(it).split('cache_control').length - 1
  const alone = await ask({ prompt: [{ role: 'user', content: [text('One')] }] })
  t.equal(count(alone), 1)
  const first = await ask({ prompt: [{ role: 'user', content: [text('Goals', changing), text('One')] }] })
  t.equal(count(first), 1)
  const many = await ask({
    tools,
    prompt: [
      { role: 'system', content: 'Be brief.' },
      ...Array.from({ length: 9 }, () => [
        { role: 'user' as const, content: [text('Q')] },
        { role: 'assistant' as const, content: [text('A')] }
      ]).flat(),
      { role: 'user', content: [text('Goals', changing), text('Last')] }
    ]
  })
  t.equal(count(many), 4)
})
