import type { App } from 'agent-platform'
import { deleteFeedback, giveFeedback, listFeedback, readFeedback } from '../schemas/feedback.ts'
import type { FeedbackService } from '../services/feedback.ts'

/** An agent does not praise itself. */
const config = { principals: ['user', 'service'] } as const
/** As of the other routes of runs. */
const reading = { ...config, scope: ['agents:read', 'agents:run'] } as const
const writing = { ...config, scope: ['agents:write', 'agents:run'] } as const
const path = '/agents/runs/:runId/feedback'

export function feedbackRoutes(app: App, { feedbackService }: { feedbackService: FeedbackService }) {
  app.put(path, { schema: giveFeedback, config: writing }, async ({ principal, params, body }) => {
    return { data: await feedbackService.give(principal, params.runId, body) }
  })
  app.get(path, { schema: readFeedback, config: reading }, async ({ principal, params }) => {
    return { data: await feedbackService.read(principal, params.runId) }
  })
  app.delete(path, { schema: deleteFeedback, config: writing }, async ({ principal, params }) => {
    return { data: await feedbackService.remove(principal, params.runId) }
  })
  app.get('/evaluations/feedback', { schema: listFeedback, config }, ({ principal, query }) =>
    feedbackService.list(principal, query)
  )
}
