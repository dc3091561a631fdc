import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { fireBeat, listBeats, readHeartbeat, triggerAgent, updateHeartbeat } from './schemas.ts'
import type { BeatService } from './services/beats.ts'
import type { HeartbeatService } from './services/heartbeats.ts'
import type { TriggerService } from './services/triggers.ts'
import type { AutonomySettings } from './settings.ts'

interface Deps {
  settings: AutonomySettings
  heartbeatService: HeartbeatService
  beatService: BeatService
  triggerService: TriggerService
}

export function autonomyRoutes(app: App, deps: Deps) {
  const { settings, heartbeatService, beatService, triggerService } = deps
  const path = '/agents/:agentId/autonomy'
  const read = { scope: ['agents:read'] }
  const write = { scope: ['agents:write'] }

  app.get(path, { schema: readHeartbeat, config: read }, async ({ principal, params }) => {
    return { data: await heartbeatService.read(principal, params.agentId) }
  })

  app.put(path, { schema: updateHeartbeat, config: write }, async (request) => {
    const { principal, params, body } = request
    return { data: await heartbeatService.update(principal, params.agentId, body, ifMatch(request)) }
  })

  app.get(`${path}/beats`, { schema: listBeats, config: read }, ({ principal, params, query }) =>
    beatService.list(principal, params.agentId, query)
  )

  const fires = { ...write, failures: ['paymentRequired'] } as const
  app.post(`${path}/trigger`, { schema: fireBeat, config: fires }, async ({ principal, params }) => {
    return { data: await beatService.fire(principal, params.agentId) }
  })

  const triggers = {
    scope: ['agents:run'],
    // A repeated one attaches to the first run.
    repeats: 'own',
    bodyLimit: settings.payloadBytes,
    failures: ['paymentRequired']
  } as const
  app.post(
    '/agents/:agentId/trigger',
    { schema: triggerAgent, config: triggers },
    async ({ principal, params, query, body, headers }, reply) => {
      const key = headers['idempotency-key']?.toString()
      const { agentId } = params
      const { beat, repeated } = await triggerService.trigger(principal, agentId, body, { ...query, key })
      if (repeated) reply.header('idempotency-replayed', 'true')
      return { data: beat }
    }
  )
}
