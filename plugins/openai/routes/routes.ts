import type { App, Reply, Request } from 'agent-platform'
import { closed } from 'agent-platform'
import type { ChatService } from '../answers/chat.ts'
import type { EmbeddingService } from '../answers/embeddings.ts'
import type { ResponseService } from '../answers/responses.ts'
import { createCompletion } from '../schemas/chat.ts'
import { createEmbeddings } from '../schemas/embeddings.ts'
import { listModels, readModel } from '../schemas/models.ts'
import {
  cancelResponse,
  createResponse,
  deleteResponse,
  listInput,
  readResponse
} from '../schemas/responses.ts'
import type { ModelService } from '../services/models.ts'

interface Deps {
  chatService: ChatService
  responseService: ResponseService
  modelService: ModelService
  embeddingService: EmbeddingService
}

/** Room for files in base64. */
const MOST_BYTES = 30_000_000

const running = {
  scope: ['agents:run'],
  tokens: 'agents',
  repeats: 'own',
  bodyLimit: MOST_BYTES,
  failures: ['paymentRequired', 'upstream', 'upstreamTimeout']
} as const
const reading = { scope: ['agents:read', 'agents:run'], tokens: 'agents' } as const
const writing = { scope: ['agents:write', 'agents:run'], tokens: 'agents' } as const

/** What clients find below both addresses, and below their own alone what has another form at `/v1`. */
export function openAiRoutes(app: App, deps: Deps) {
  const { chatService, responseService, modelService, embeddingService } = deps
  for (const [prefix, place] of [
    ['', {}],
    ['/openai/v1', { root: true }]
  ] as const) {
    const base = prefix as string
    app.post(
      `${base}/chat/completions`,
      { schema: createCompletion, config: { ...running, ...place } },
      (request, reply) => chatService.answer(request as Request, reply as Reply, request.body) as never
    )
    app.post(
      `${base}/responses`,
      { schema: createResponse, config: { ...running, ...place } },
      (request, reply) => responseService.answer(request as Request, reply as Reply, request.body) as never
    )
    app.get(
      `${base}/responses/:responseId`,
      { schema: readResponse, config: { ...reading, ...place } },
      (request, reply) => {
        const { principal, params, query } = request
        if (!query.stream) return responseService.read(principal, params.responseId) as never
        const from = query.starting_after ?? -1
        return responseService.follow(request as Request, reply as Reply, params.responseId, from) as never
      }
    )
    app.delete(
      `${base}/responses/:responseId`,
      { schema: deleteResponse, config: { ...writing, ...place } },
      ({ principal, params }) => responseService.remove(principal, params.responseId)
    )
    app.post(
      `${base}/responses/:responseId/cancel`,
      { schema: cancelResponse, config: { ...writing, ...place } },
      ({ principal, params }) => responseService.cancel(principal, params.responseId) as never
    )
    app.get(
      `${base}/responses/:responseId/input_items`,
      { schema: listInput, config: { ...reading, ...place } },
      ({ principal, params, query }) => responseService.input(principal, params.responseId, query)
    )
  }

  app.post(
    '/openai/v1/embeddings',
    {
      schema: createEmbeddings,
      config: {
        scope: ['agents:run'],
        tokens: 'whole',
        bodyLimit: MOST_BYTES,
        failures: ['upstream'],
        root: true
      }
    },
    ({ principal, body }, reply) => embeddingService.create(principal, body, closed(reply as Reply)) as never
  )
  app.get('/openai/v1/models', { schema: listModels, config: { ...reading, root: true } }, ({ principal }) =>
    modelService.list(principal)
  )
  app.get(
    '/openai/v1/models/:model',
    { schema: readModel, config: { ...reading, root: true } },
    ({ principal, params }) => modelService.read(principal, params.model)
  )
}
