import { definePack } from 'agent-platform'
import { accessRoutes } from './routes.ts'
import { createKeyService } from './service.ts'

/** Who asks, and with which keys: the caller's identity, its API keys, the platform's public keys. */
export default definePack({
  name: 'access',
  area: 'Platform',
  summary: 'authentication: the identity of the caller, API keys, and the public keys of the platform (JWKS)',
  services: { keyService: createKeyService },
  routes: accessRoutes
})
