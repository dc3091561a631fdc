import type { App } from 'agent-platform'
import { closed } from 'agent-platform'
import type { SessionCompaction } from '../execute/session-compaction.ts'
import { compactSession } from '../schemas/compaction.ts'

const config = {
  scope: ['agents:run'],
  failures: ['paymentRequired', 'upstream', 'upstreamTimeout']
} as const

export function compactionRoutes(app: App, { sessionCompaction }: { sessionCompaction: SessionCompaction }) {
  app.post('/sessions/:id/compact', { schema: compactSession, config }, async (request, reply) => ({
    data: await sessionCompaction(request.principal, request.params.id, request.body, closed(reply))
  }))
}
