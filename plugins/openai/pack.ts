import { definePack } from 'agent-platform'
import { createChatService } from './answers/chat.ts'
import { createEmbeddingService } from './answers/embeddings.ts'
import { createResponseService } from './answers/responses.ts'
import type {} from './contract.ts'
import { failureBody } from './protocol/failures.ts'
import { openAiRoutes } from './routes/routes.ts'
import { createExchanges } from './services/exchanges.ts'
import { createHistories } from './services/histories.ts'
import { createModelService } from './services/models.ts'
import { createProgress } from './services/progress.ts'
import { createRemovals } from './services/removals.ts'
import { createUploads } from './services/uploads.ts'
import { OpenAiSettings } from './settings.ts'
import { createExchangeStore } from './stores/exchanges.ts'
import { createUploadStore } from './stores/uploads.ts'

/** Agents for clients of OpenAI's API: each agent is a model. */
export default definePack({
  name: 'openai',
  area: 'Agents',
  summary: 'OpenAI-compatible API: agents as models for OpenAI clients',
  requires: ['agents', 'jobs', 'models', 'runs', 'sessions'],
  uses: ['files', 'outgoing'],
  settings: OpenAiSettings,
  services: {
    exchangeStore: createExchangeStore,
    uploadStore: createUploadStore,
    uploads: createUploads,
    histories: createHistories,
    exchanges: createExchanges,
    progress: createProgress,
    removals: createRemovals,
    modelService: createModelService,
    chatService: createChatService,
    responseService: createResponseService,
    embeddingService: createEmbeddingService
  },
  plugins(app) {
    app.addHook('onSend', async (_request, reply, payload) => {
      // A replayed failure was stored as the client read it.
      if (reply.statusCode < 400 || typeof payload !== 'string' || reply.hasHeader('idempotency-replayed'))
        return payload
      const { body, isFinal } = failureBody(reply.statusCode, payload)
      if (isFinal) reply.header('x-should-retry', 'false')
      return body
    })
  },
  routes: openAiRoutes,
  contributes: {
    'jobs.worker': [
      { key: 'openai.clean-up', make: ({ removals }) => removals.cleanUp },
      { key: 'openai.abandon', make: ({ removals }) => removals.abandon }
    ]
  },
  cascade: {
    'agents.deleted': { exchange: 'agentId' },
    'sessions.deleted': { exchange: 'sessionId' },
    'files.deleted': { upload: 'fileId' }
  },
  on: { 'runs.suspended': { batch: ({ removals }) => removals.suspended } }
})
