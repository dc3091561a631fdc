import type { App } from 'agent-platform'
import type { Anchoring } from './anchors/anchoring.ts'
import { anchorTrace } from './anchors/schemas.ts'
import type { BundleService } from './bundles/service.ts'
import type { SigningKeys } from './bundles/signing-keys.ts'
import type { Reports } from './reports.ts'
import { readBundle, readKey, readScope, readSession } from './schemas.ts'

interface Deps {
  reports: Reports
  bundleService: BundleService
  signingKeys: SigningKeys
  anchoring: Anchoring
}

export function provenanceRoutes(app: App, { reports, bundleService, signingKeys, anchoring }: Deps) {
  app.get('/provenance/sessions/:sessionId', { schema: readSession }, async (request) => {
    const { principal, params, query } = request
    return { data: await reports.read(principal, { type: 'session', id: params.sessionId }, query) }
  })

  app.get('/provenance/scopes/:scopeType/:scopeId', { schema: readScope }, async (request) => {
    const { principal, params, query } = request
    return { data: await reports.read(principal, { type: params.scopeType, id: params.scopeId }, query) }
  })

  app.get('/provenance/traces/:traceId/bundle', { schema: readBundle }, async (request) => {
    const { principal, params, query } = request
    return { data: await bundleService.read(principal, params.traceId, query.item) }
  })

  const config = { limit: 'sensitive', failures: ['upstream', 'upstreamTimeout'] } as const
  app.post(
    '/provenance/traces/:traceId/anchor',
    { schema: anchorTrace, config },
    async ({ principal, params }) => {
      return { data: await anchoring.anchor(principal, params.traceId) }
    }
  )

  app.get('/provenance/keys/:keyId', { schema: readKey, config: { by: 'public' } }, async ({ params }) => {
    return { data: await signingKeys.read(params.keyId) }
  })
}
