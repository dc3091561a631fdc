import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import { trimEndOf } from 'agent-platform'
import type { Dispatcher } from 'undici'
import { concededPrompt } from './chat-completions/conceded-prompt.ts'
import type { Concessions } from './chat-completions/concessions.ts'
import { conceded, concessionTo, joined } from './chat-completions/concessions.ts'
import type { Opened } from './chat-completions/exchange.ts'
import { exchange } from './chat-completions/exchange.ts'
import { createFaults, tellable } from './chat-completions/faults.ts'
import { collect } from './chat-completions/generate.ts'
import type { Manner, Part } from './chat-completions/reply.ts'
import { createReply } from './chat-completions/reply.ts'
import { requestOf } from './chat-completions/request.ts'
import { beginsInThought } from './chat-completions/thoughts-in-text.ts'
import type { PartsModel } from './contract.ts'

export interface ChatCompletionsOptions {
  readonly modelProvider: string
  /** What `/chat/completions` is added to. A name and password in it are sent as basic authorization. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly dispatcher: Dispatcher
  /** What must not be shown beside the key: values of headers that calls have. */
  readonly secrets?: readonly string[]
  /** OpenAI's own dialect, which others do not all follow. */
  readonly openai: boolean
}

/**
 * A model behind OpenAI's chat completions, as nearly every server speaks them. It is always asked for a stream.
 * Whatever goes wrong is an `APICallError`: `doStream` rejects with it until the headers are there, then the stream
 * fails with it after the parts that came before. Neither has a time limit: the caller aborts.
 */
export function createChatCompletionsModel(
  modelId: string,
  options: ChatCompletionsOptions
): LanguageModelV4 & PartsModel {
  const { modelProvider, baseUrl, apiKey, dispatcher } = options
  const { url, origin, path, authorization, secrets } = addressOf(baseUrl, apiKey)
  const hidden = [...secrets, ...(options.secrets ?? []).filter(({ length }) => length > 5)]
  const faults = createFaults({ modelProvider, modelId, url, secrets: hidden })
  /** Concessions that the server has asked for by refusing a request. */
  let made: Concessions = {}
  const manner: Manner = { beginsInThought: !options.openai && beginsInThought(modelId) }

  async function open(call: LanguageModelV4CallOptions) {
    let here = made
    for (;;) {
      const prompt = concededPrompt(call.prompt, here)
      const { body, warnings } = requestOf(modelId, options, { ...call, prompt }, here)
      const sent = conceded(body, here, (warning) => void warnings.push(warning))
      try {
        return await ask(call, sent, warnings)
      } catch (error) {
        const more = concessionTo(error, here, sent)
        if (!more) throw error
        here = joined(here, more.concessions)
        if (more.isLasting) made = joined(made, more.concessions)
      }
    }
  }

  function ask(
    { headers, abortSignal }: LanguageModelV4CallOptions,
    body: object,
    warnings: SharedV4Warning[]
  ) {
    return exchange({
      dispatcher,
      request: {
        origin,
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(authorization && { authorization }),
          ...lowerCased(headers)
        },
        body: JSON.stringify(body),
        headersTimeout: 0,
        bodyTimeout: 0
      },
      signal: abortSignal,
      faults,
      openReply: (received) => createReply(modelProvider, faults, received, warnings, manner)
    })
  }

  async function doStream(call: LanguageModelV4CallOptions) {
    const opened = await open(call)
    return { stream: streamOf(opened), request: { url }, response: { headers: tellable(opened.headers) } }
  }

  async function doGenerate(call: LanguageModelV4CallOptions) {
    const { stream, request, response } = await doStream(call)
    const whole = await collect(stream)
    return { ...whole, request, response: { ...whole.response, ...response } }
  }

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    supportedUrls: { 'image/*': [/^https?:\/\//] },
    doGenerate,
    doStream,
    doParts: open
  }
}

/** A stream that queues nothing itself: each delivery answers a read that waits. A quarter cheaper than one `from` a generator. */
const streamOf = ({ next, leave }: Opened) =>
  new ReadableStream<Part>(
    {
      async pull(controller) {
        const parts = await next()
        if (!parts) return controller.close()
        for (const part of parts) controller.enqueue(part)
      },
      cancel: leave
    },
    { highWaterMark: 0 }
  )

/** Names in one spelling, so that what a call gives replaces what we say. */
const lowerCased = (headers: LanguageModelV4CallOptions['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Where to send requests, and what of it is secret. */
function addressOf(baseUrl: string, apiKey: string | undefined) {
  const { origin, pathname, search, username, password } = new URL(baseUrl)
  const path = `${trimEndOf(pathname, '/')}/chat/completions`
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const basic = login === ':' ? undefined : Buffer.from(login).toString('base64')
  const bearer = apiKey ? `Bearer ${apiKey}` : undefined
  return {
    origin,
    path: path + search,
    url: origin + path,
    authorization: bearer ?? (basic && `Basic ${basic}`),
    secrets: [apiKey, basic, decodeURIComponent(password), ...new URLSearchParams(search).values()].filter(
      (it): it is string => (it?.length ?? 0) > 5
    )
  }
}
