import type { Kernel, Principal, Reply, Request } from 'agent-platform'
import { closed } from 'agent-platform'
import { chatView, completionOf, createCollector } from '../protocol/chat-frames.ts'
import { readChat } from '../protocol/chat-input.ts'
import type { Names } from '../protocol/failures.ts'
import { optionNames } from '../protocol/options.ts'
import type { ChatBody } from '../schemas/chat.ts'
import type { Exchanges } from '../services/exchanges.ts'
import type { ModelService } from '../services/models.ts'
import type { Progress } from '../services/progress.ts'
import { cancelled } from '../services/progress.ts'
import type { Exchange } from '../stores/exchanges.ts'

export type ChatService = ReturnType<typeof createChatService>

interface Deps extends Pick<Kernel, 'streams'> {
  modelService: ModelService
  exchanges: Exchanges
  progress: Progress
}

const names: Names = [
  [/^\/agentId$/, '/model'],
  [/^\/cliTools\/(\d+)/, '/tools/$1/function'],
  [/^\/answerSchema/, '/response_format/json_schema/schema'],
  [/^\/attachments.*$/, '/messages'],
  [/^\/options\/maxTokens/, '/max_completion_tokens'],
  [/^\/options\/reasoning/, '/reasoning_effort'],
  ...optionNames
]

const asked = {
  instructions: null,
  tools: [],
  toolChoice: 'auto',
  format: { type: 'text' },
  temperature: null,
  topP: null,
  maxOutputTokens: null,
  background: false
}

const shownOf = ({ id, createdAt, metadata, stored }: Exchange, model: string) => ({
  id,
  created: Math.floor(Date.parse(createdAt) / 1_000),
  model,
  metadata,
  stored
})

/** Chat completions: each is a run in a session of its own, of all that was sent. */
export function createChatService({ streams, modelService, exchanges, progress }: Deps) {
  async function begin(by: Principal, body: ChatBody, key: string | undefined) {
    const { model, messages, tools, tool_choice, response_format, temperature, user } = body
    const { agent } = await modelService.agent(by, model)
    const heard = readChat(body)
    return exchanges.begin(by, {
      kind: 'chat',
      agentId: agent.id,
      heard,
      said: { words: messages, manner: [tools ?? [], tool_choice ?? 'auto', response_format ?? null] },
      stored: body.store === true,
      asked: { ...asked, temperature: temperature ?? null, user: user ?? null },
      input: null,
      metadata: body.metadata ?? {},
      previous: undefined,
      key,
      names
    })
  }

  /** Answers with the whole completion, or with its chunks. */
  async function answer(request: Request, reply: Reply, body: ChatBody): Promise<object> {
    const { principal: by, headers } = request
    const left = closed(reply)
    const { exchange, isOwn } = await begin(by, body, headers['idempotency-key']?.toString())
    reply.header('x-run-id', exchange.runId)
    if (isOwn) progress.cancelWhenLeft(by, exchange, left)
    return body.stream ? stream(request, reply, exchange, body, left) : whole(by, exchange, body, left)
  }

  async function whole(
    by: Principal,
    exchange: Exchange,
    { model, include_reasoning }: ChatBody,
    left: AbortSignal
  ) {
    const take = createCollector()
    for await (const event of progress.events(exchange, left)) {
      const done = take(event)
      if (!done) continue
      if (done.end.status === 'failed' || done.end.status === 'cancelled')
        throw await progress.failureOf(by, exchange.runId)
      const usage = await progress.ended(by, exchange, done.end)
      return completionOf(shownOf(exchange, model), done, usage, include_reasoning === true)
    }
    throw cancelled()
  }

  async function stream(
    request: Request,
    reply: Reply,
    exchange: Exchange,
    { model, stream_options, include_reasoning }: ChatBody,
    left: AbortSignal
  ) {
    const { principal: by } = request
    await progress.firstSign(by, exchange, left)
    const withUsage = stream_options?.include_usage === true
    const view = chatView(shownOf(exchange, model), {
      withUsage,
      withReasoning: include_reasoning === true,
      ended: (end) => progress.ended(by, exchange, end)
    })
    const { project, runId, after } = exchange
    await streams.serve(request, reply, { project, stream: runId, idField: 'runId', view, after })
    return reply
  }

  return { answer }
}
