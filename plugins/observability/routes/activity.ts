import type { App, Reply, Request, Streams } from 'agent-platform'
import type { ActivityService } from '../activity/service.ts'
import { followActivity, listActivity, listLogs } from '../schemas/activity.ts'

interface Deps {
  streams: Streams
  activityService: ActivityService
}

const config = { scope: ['activity:read'] } as const

export function activityRoutes(app: App, { streams, activityService }: Deps) {
  app.get('/activity/events', { schema: listActivity, config }, ({ principal, query }) =>
    activityService.list(principal, query)
  )

  app.get(
    '/activity/stream',
    { schema: followActivity, config: { ...config, endless: true } },
    async (request, reply) => {
      const { principal, query, headers } = request
      const isNew = query.after === undefined && headers['last-event-id'] === undefined
      const served = await activityService.feed(principal, query, isNew)
      await streams.serve(request as Request, reply as Reply, served)
      return reply
    }
  )

  app.get('/logs/agents/:agentId', { schema: listLogs }, ({ principal, params, query }) =>
    activityService.ofAgent(principal, params.agentId, query)
  )
}
