import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readFallbacks, replaceFallbacks } from '../fallback-schemas.ts'
import type { FallbackService } from '../services/fallbacks.ts'

const config = { limit: 'sensitive' } as const

export function fallbackRoutes(app: App, { fallbackService }: { fallbackService: FallbackService }) {
  app.get('/models/fallbacks', { schema: readFallbacks }, async ({ principal }) => {
    return { data: await fallbackService.read(principal) }
  })

  app.put('/models/fallbacks', { schema: replaceFallbacks, config }, async (request) => {
    const { principal, body } = request
    return { data: await fallbackService.replace(principal, body.models, ifMatch(request)) }
  })
}
