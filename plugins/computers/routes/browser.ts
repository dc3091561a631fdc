import type { App } from 'agent-platform'
import type { Browsing } from '../browser/browsing.ts'
import { openPage, testPage } from '../schemas/browser.ts'

export function browserRoutes(app: App, { browsing }: { browsing: Browsing }) {
  const path = '/agents/:agentId/computer/browser'
  const config = { scope: ['agents:write'], failures: ['upstreamTimeout'] } as const

  app.post(`${path}/open`, { schema: openPage, config }, async ({ principal, params, body }) => {
    return { data: await browsing.open(principal, params.agentId, body) }
  })

  app.post(`${path}/test`, { schema: testPage, config }, async ({ principal, params, body }) => {
    return { data: await browsing.test(principal, params.agentId, body) }
  })
}
