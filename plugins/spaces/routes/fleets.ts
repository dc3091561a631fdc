import type { App } from 'agent-platform'
import { listPeers, readWorld, reportEvent } from '../schemas/fleets.ts'
import type { FleetService } from '../services/fleets.ts'

/** Outside of /v1, as the operations of fleets are specified. */
const config = { root: true } as const
const reading = { ...config, tokens: 'whole' } as const

export function fleetRoutes(app: App, { fleetService }: { fleetService: FleetService }) {
  app.get('/fleets/:id/world', { schema: readWorld, config: reading }, async ({ principal, params }) => {
    return { data: await fleetService.world(principal, params.id) }
  })

  app.get('/fleets/:id/peers', { schema: listPeers, config: reading }, ({ principal, params, query }) =>
    fleetService.peers(principal, params.id, query)
  )

  app.post('/events', { schema: reportEvent, config }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await fleetService.report(principal, body) })
  })
}
