import { definePack } from 'agent-platform'
import { createExchange } from './exchange/exchange.ts'
import { connectionRoutes } from './routes/connections.ts'
import { flowRoutes } from './routes/flow.ts'
import { providerRoutes } from './routes/providers.ts'
import { createConnectionService } from './services/connections.ts'
import { createConnectionSource } from './services/credentials.ts'
import { createFlow } from './services/flow.ts'
import { createGrantService } from './services/granting.ts'
import { createOpening } from './services/opening.ts'
import { createProviderService } from './services/providers.ts'
import { createRefreshing } from './services/refreshing.ts'
import { createRemoval } from './services/removal.ts'
import { createTokenService } from './services/tokens.ts'
import { ConnectionSettings } from './settings.ts'
import { createConnectionStore } from './stores/connections.ts'
import { createRequestStore } from './stores/requests.ts'

/** Connections: agents act in other people's services, with consent that can be taken back. */
export default definePack({
  name: 'connections',
  area: 'Tools',
  summary: 'OAuth connections to third-party services, with revocable consent',
  requires: ['outgoing'],
  settings: ConnectionSettings,
  services: {
    connectionStore: createConnectionStore,
    requestStore: createRequestStore,
    providerService: createProviderService,
    exchange: createExchange,
    tokenService: createTokenService,
    refreshing: createRefreshing,
    opening: createOpening,
    connectionSource: createConnectionSource,
    flow: createFlow,
    grantService: createGrantService,
    connectionService: createConnectionService,
    removal: createRemoval
  },
  routes(app, deps) {
    providerRoutes(app, deps)
    flowRoutes(app, deps)
    connectionRoutes(app, deps)
  },
  contributes: {
    'tools.credential': [{ key: 'connection', make: ({ connectionSource }) => connectionSource }],
    'jobs.worker': [
      { key: 'connections.left', make: ({ removal }) => ({ work: removal.finishLeft, cron: '*/10 * * * *' }) }
    ]
  },
  start: async ({ refreshing }) => refreshing.start(),
  async stop({ refreshing, tokenService }) {
    refreshing.stop()
    tokenService.close()
  }
})
