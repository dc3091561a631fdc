import type { Kernel, Principal, Reply, Request } from 'agent-platform'
import { closed, invalid } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Names } from '../protocol/failures.ts'
import { optionNames } from '../protocol/options.ts'
import type { Shown } from '../protocol/response.ts'
import { echoedOf, responseOf } from '../protocol/response.ts'
import { createResponseCollector, responseView, secondsOf } from '../protocol/response-frames.ts'
import { itemsOf, readResponse } from '../protocol/response-input.ts'
import type { ResponseBody } from '../schemas/responses.ts'
import type { Exchanges } from '../services/exchanges.ts'
import type { ModelService } from '../services/models.ts'
import type { Progress } from '../services/progress.ts'
import { cancelled } from '../services/progress.ts'
import { resolved } from '../services/references.ts'
import type { Removals } from '../services/removals.ts'
import type { Exchange, ExchangeStore } from '../stores/exchanges.ts'

export type ResponseService = ReturnType<typeof createResponseService>

interface Deps extends Pick<Kernel, 'streams'> {
  modelService: ModelService
  exchangeStore: ExchangeStore
  runs: Runs
  exchanges: Exchanges
  progress: Progress
  removals: Removals
}

const names: Names = [
  [/^\/agentId$/, '/model'],
  [/^\/messages\/(\d+)/, '/input/$1'],
  [/^\/cliTools\/(\d+)/, '/tools/$1'],
  [/^\/cliContext/, '/instructions'],
  [/^\/answerSchema/, '/text/format/schema'],
  [/^\/attachments.*$/, '/input'],
  [/^\/options\/maxTokens/, '/max_output_tokens'],
  [/^\/options\/reasoning/, '/reasoning/effort'],
  ...optionNames
]

const shownOf = ({ id, agentId, createdAt, previousId, stored, metadata, asked }: Exchange): Shown => ({
  id,
  created: Math.floor(Date.parse(createdAt) / 1_000),
  model: agentId,
  previousId,
  stored,
  metadata,
  asked
})

/** Bytes that were sent within the input are not kept with it. */
const MOST_TEXT = 1_000_000
const withoutBytes = (items: readonly object[]): readonly object[] =>
  JSON.parse(JSON.stringify(items), (_key, value) =>
    typeof value === 'string' && value.startsWith('data:')
      ? `${value.slice(0, value.indexOf(',') + 1)}`
      : value
  )

/** Responses: each is a run, in the session of the response that it goes on from. */
export function createResponseService(deps: Deps) {
  const { streams, modelService, runs, exchanges, exchangeStore, progress, removals } = deps

  async function begin(by: Principal, body: ResponseBody, key: string | undefined) {
    const { model, tools, tool_choice, text, instructions, metadata } = body
    const { agent } = await modelService.agent(by, model)
    const items = await resolved(by, itemsOf(body), exchangeStore, outputOf(by))
    const heard = readResponse(body, items)
    const stored = body.store !== false
    if (body.background && !stored) throw invalid('/background', 'What goes on in the background is stored')
    const id = body.previous_response_id
    const previous = id == null ? undefined : await exchanges.find(by, id, 'change', '/previous_response_id')
    if (previous && previous.agentId !== agent.id)
      throw invalid('/previous_response_id', 'The previous response is of another agent')
    const kept = withoutBytes(items)
    if (JSON.stringify(kept).length > MOST_TEXT * 2) throw invalid('/input', '/input is too long')
    return exchanges.begin(by, {
      kind: 'response',
      agentId: agent.id,
      heard,
      said: {
        words: items,
        manner: [tools ?? [], tool_choice ?? 'auto', text ?? null, instructions ?? null]
      },
      stored,
      asked: {
        instructions: instructions ?? null,
        tools: tools ?? [],
        toolChoice: tool_choice ?? 'auto',
        format: (text?.format as object | undefined) ?? { type: 'text' },
        temperature: body.temperature ?? null,
        topP: body.top_p ?? null,
        maxOutputTokens: body.max_output_tokens ?? null,
        background: body.background === true,
        user: body.user ?? null,
        echoed: echoedOf(body)
      },
      input: kept,
      metadata: metadata ?? {},
      previous,
      key,
      names
    })
  }

  /** Answers with the whole response, with its events, or, in the background, at once. */
  async function answer(request: Request, reply: Reply, body: ResponseBody): Promise<object> {
    const { principal: by, headers } = request
    const left = closed(reply)
    const { exchange, isOwn } = await begin(by, body, headers['idempotency-key']?.toString())
    reply.header('x-run-id', exchange.runId)
    if (isOwn && !body.background) progress.cancelWhenLeft(by, exchange, left)
    if (body.stream) {
      if (!body.background) await progress.firstSign(by, exchange, left)
      return serve(request, reply, exchange, -1)
    }
    if (body.background) return show(by, exchange)
    const shown = await read(by, exchange, left)
    if (shown.status === 'failed' || shown.status === 'cancelled')
      throw await progress.failureOf(by, exchange.runId)
    if (shown.status === 'in_progress') throw cancelled()
    return shown
  }

  async function serve(request: Request, reply: Reply, exchange: Exchange, from: number) {
    const { principal: by } = request
    const { project, runId, after } = exchange
    const view = responseView(shownOf(exchange), from, (end) => progress.ended(by, exchange, end))
    await streams.serve(request, reply, { project, stream: runId, idField: 'runId', view, after })
    return reply
  }

  /** As far as its events are followed: to its end, or to that one. */
  async function read(by: Principal, exchange: Exchange, left: AbortSignal, last?: number) {
    const collector = createResponseCollector(shownOf(exchange))
    for await (const event of progress.events(exchange, left, last)) {
      const end = collector.take(event)
      if (!end) continue
      const usage = await progress.ended(by, exchange, end)
      const at = secondsOf(event)
      const ended = { end, usage, ...(at !== undefined && { at }) }
      return responseOf(shownOf(exchange), collector.output(end), ended)
    }
    return responseOf(shownOf(exchange), collector.output(undefined), undefined)
  }

  const outputOf = (by: Principal) => async (exchange: Exchange) => (await show(by, exchange)).output

  /** As it is now. */
  async function show(by: Principal, exchange: Exchange) {
    const { project, runId } = exchange
    const state = await streams.state(project, runId)
    const shown = await read(by, exchange, AbortSignal.timeout(30_000), state?.last ?? -1)
    if (shown.status !== 'in_progress') return shown
    const run = await runs.settled(by, runId, AbortSignal.abort())
    return run.status === 'queued' ? responseOf(shownOf(exchange), [], undefined, true) : shown
  }

  return {
    answer,
    async follow(request: Request, reply: Reply, id: string, from: number) {
      return serve(request, reply, await exchanges.find(request.principal, id, 'read'), from)
    },
    read: async (by: Principal, id: string) => show(by, await exchanges.find(by, id, 'read')),
    async cancel(by: Principal, id: string) {
      const exchange = await exchanges.find(by, id, 'change')
      await progress.cancel(by, exchange)
      return show(by, exchange)
    },
    async remove(by: Principal, id: string) {
      await removals.remove(by, await exchanges.find(by, id, 'change'))
      return { id, object: 'response', deleted: true as const }
    },
    async input(by: Principal, id: string, { limit = 20, order = 'desc', after }: InputQuery) {
      const { input } = await exchanges.find(by, id, 'read')
      const all = (input ?? []).map((item, index) => itemOf(item as Item, index))
      if (order === 'desc') all.reverse()
      const from = after === undefined ? 0 : all.findIndex((item) => item.id === after) + 1
      if (after !== undefined && from === 0) throw invalid('after', 'after is no item of this response')
      const data = all.slice(from, from + limit)
      return {
        object: 'list' as const,
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: from + limit < all.length
      }
    }
  }
}

interface InputQuery {
  readonly limit?: number
  readonly order?: 'asc' | 'desc'
  readonly after?: string
}

type Item = Readonly<Record<string, unknown>>

function itemOf(item: Item, index: number) {
  const type = item.type ?? 'message'
  const prefix = type === 'message' ? 'msg' : type === 'function_call' ? 'fc' : 'fco'
  const content =
    type === 'message' && typeof item.content === 'string'
      ? { content: [{ type: item.role === 'assistant' ? 'output_text' : 'input_text', text: item.content }] }
      : {}
  return { ...item, ...content, type, id: typeof item.id === 'string' ? item.id : `${prefix}_${index}` }
}
