import type { App } from 'agent-platform'
import { listMarketplace } from '../schemas/marketplace.ts'
import type { Marketplace } from '../services/marketplace.ts'

export function marketplaceRoutes(app: App, { marketplace }: { marketplace: Marketplace }) {
  app.get('/mcp/servers/marketplace', { schema: listMarketplace }, ({ query }) => marketplace.list(query))
}
