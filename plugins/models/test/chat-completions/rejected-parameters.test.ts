import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import t from 'tap'
import { conceding } from '../../providers/conceding-model.ts'
import { limited } from '../../providers/limited-model.ts'
import { call, failureOf, prompt, readAll, testbed } from './testbed.ts'

type Body = Record<string, unknown> & { messages: { role: string; content: unknown }[] }
const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } }
const tool = { type: 'function' as const, name: 'look', inputSchema: schema }
const openai = (param: string, message: string) => ({
  error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' }
})

interface Situation {
  readonly options: Partial<LanguageModelV4CallOptions>
  /** What the server answers to a body; undefined: it accepts it. */
  readonly refuses: (body: Body) => object | undefined
  readonly status?: number
  /** The body that is accepted in the end. */
  readonly accepted: object
  readonly absent?: readonly string[]
  readonly warns?: readonly string[]
  /** Requests of the first call; default: 2. */
  readonly requests?: number
}

const situations: Readonly<Record<string, Situation>> = {
  'max_tokens becomes max_completion_tokens': {
    options: { maxOutputTokens: 9 },
    refuses: (it) =>
      'max_tokens' in it
        ? openai(
            'max_tokens',
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'."
          )
        : undefined,
    accepted: { max_completion_tokens: 9 },
    absent: ['max_tokens']
  },
  'temperature and top_p, one after the other, without a param (Mistral)': {
    options: { temperature: 0.2, topP: 0.5 },
    status: 422,
    refuses: (it) => {
      const name = ['temperature', 'top_p'].find((key) => key in it)
      if (name === undefined) return undefined
      return {
        detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }]
      }
    },
    accepted: {},
    absent: ['temperature', 'top_p'],
    warns: ['temperature', 'top_p'],
    requests: 3
  },
  'json_schema becomes json_object (DeepSeek)': {
    options: { responseFormat: { type: 'json', schema } },
    refuses: (it) =>
      (it.response_format as { type?: string })?.type === 'json_schema'
        ? {
            error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error' }
          }
        : undefined,
    accepted: { response_format: { type: 'json_object' } }
  },
  'json_schema, then json_object, then neither': {
    options: { responseFormat: { type: 'json', schema } },
    refuses: (it) =>
      'response_format' in it ? openai('response_format', 'response_format is not supported') : undefined,
    accepted: {},
    absent: ['response_format'],
    requests: 3
  },
  'a system message becomes a part of the first message (Gemma)': {
    options: { prompt: [{ role: 'system', content: 'Be brief' }, ...prompt('Hello')] },
    refuses: (it) =>
      it.messages.some(({ role }) => role === 'system')
        ? { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 }
        : undefined,
    accepted: { messages: [{ role: 'user', content: 'Be brief\n\nHello' }] }
  },
  'tools of a model that has none (Ollama)': {
    options: { tools: [tool], toolChoice: { type: 'auto' } },
    refuses: (it) =>
      'tools' in it
        ? { error: { message: 'gemma3:latest does not support tools', type: 'api_error' } }
        : undefined,
    accepted: {},
    absent: ['tools', 'tool_choice'],
    warns: ['tools']
  },
  'tools of a model that no endpoint has (OpenRouter)': {
    options: { tools: [tool] },
    status: 404,
    refuses: (it) =>
      'tools' in it
        ? { error: { message: 'No endpoints found that support tool use.', code: 404 } }
        : undefined,
    accepted: {},
    absent: ['tools']
  },
  'reasoning_effort, named in backquotes': {
    options: { reasoning: 'low' },
    refuses: (it) =>
      'reasoning_effort' in it
        ? { error: { message: '`reasoning_effort` is not supported with this model' } }
        : undefined,
    accepted: {},
    absent: ['reasoning_effort'],
    warns: ['reasoning_effort']
  },
  'what only a provider knows': {
    options: { providerOptions: { test: { parallel_tool_calls: false } } },
    refuses: (it) =>
      'parallel_tool_calls' in it
        ? openai('parallel_tool_calls', "Unknown parameter: 'parallel_tool_calls'.")
        : undefined,
    accepted: {},
    absent: ['parallel_tool_calls']
  }
}

for (const [
  name,
  { options, refuses, status = 400, accepted, absent = [], warns, requests = 2 }
] of Object.entries(situations))
  t.test(`steps down once, and remembers: ${name}`, async (t) => {
    const { server, model } = await testbed(t, {
      respond({ body }, response) {
        const said = refuses(body as unknown as Body)
        if (said) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
      }
    })
    const one = model('mock?tokens=1')
    const parts = await readAll((await one.doStream(call(options))).stream)
    t.equal(server.requests.length, requests)
    const last = server.requests.at(-1)?.body as unknown as Body
    t.match(last, accepted)
    for (const field of absent) t.notOk(field in last, field)
    const [start] = parts
    const warned =
      start?.type === 'stream-start' ? start.warnings.map((it) => 'feature' in it && it.feature) : []
    for (const feature of warns ?? []) t.ok(warned.includes(feature), feature)
    await one.doGenerate(call(options))
    t.equal(server.requests.length, requests + 1, 'it is remembered')
  })

t.test('a value out of range is left out of that request only', async (t) => {
  const { server, model } = await testbed(t, {
    respond({ body }, response) {
      if (((body as unknown as Body).temperature as number) > 1)
        response
          .writeHead(400)
          .end(JSON.stringify({ error: { message: 'temperature must be between 0 and 1' } }))
    }
  })
  const one = model('mock?tokens=1')
  await one.doGenerate(call({ temperature: 1.5 }))
  await one.doGenerate(call({ temperature: 0.5 }))
  t.same(
    server.requests.map(({ body }) => (body as unknown as Body).temperature),
    [1.5, undefined, 0.5]
  )
})

t.test('does not step down for other failures, nor leave out tools that were called', async (t) => {
  let said: object = {}
  const { server, model } = await testbed(t, {
    respond: (_, response) => void response.writeHead(400).end(JSON.stringify(said))
  })
  const refused = async (message: object, options: Partial<LanguageModelV4CallOptions>) => {
    said = { error: message }
    const before = server.requests.length
    t.match(await failureOf(model('any').doStream(call(options))), { statusCode: 400 })
    return server.requests.length - before
  }
  t.equal(
    await refused({ message: 'input length and `max_tokens` exceed context limit' }, { maxOutputTokens: 9 }),
    1
  )
  t.equal(
    await refused({ message: 'Incorrect API key provided', code: 'invalid_api_key' }, { temperature: 1 }),
    1
  )
  t.equal(await refused({ message: 'Please stop' }, { stopSequences: ['x'] }), 1)
  const called: LanguageModelV4CallOptions['prompt'] = [
    ...prompt('Look'),
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'x' } }
      ]
    }
  ]
  t.equal(await refused({ message: 'x does not support tools' }, { tools: [tool], prompt: called }), 1)
})

t.test('clients of vendors are asked again without what their model rejects', async (t) => {
  const asked: LanguageModelV4CallOptions[] = []
  const parts = [{ type: 'text-start' as const, id: '1' }]
  const vendor = {
    ...{ specificationVersion: 'v4' as const, provider: 'vendor', modelId: 'm', supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error('not used')),
    async doStream(options: LanguageModelV4CallOptions) {
      asked.push(options)
      const name = (['topP', 'temperature'] as const).find((it) => options[it] !== undefined)
      if (name)
        throw new APICallError({
          ...{
            message: `\`${name === 'topP' ? 'top_p' : name}\` is deprecated for this model.`,
            url: 'http://m'
          },
          ...{
            requestBodyValues: {},
            statusCode: 400,
            data: {
              type: 'error',
              error: {
                type: 'invalid_request_error',
                message: `\`${name === 'topP' ? 'top_p' : name}\` is deprecated for this model.`
              }
            }
          }
        })
      return { stream: ReadableStream.from(parts) as ReadableStream }
    }
  } satisfies LanguageModelV4
  const model = limited(conceding(vendor))
  await model.doStream(call({ temperature: 1, topP: 1, maxOutputTokens: 7 }))
  t.equal(asked.length, 3)
  t.match(asked.at(-1), { maxOutputTokens: 7, temperature: undefined, topP: undefined })
  await model.doStream(call({ temperature: 0.2 }))
  t.equal(asked.length, 4, 'it is remembered')
})
