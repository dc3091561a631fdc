import type { App } from 'agent-platform'
import type { PackFeed } from '../pack-feed.ts'
import { followPacks } from '../schemas.ts'

export function changeRoutes(app: App, { packFeed }: { packFeed: PackFeed }) {
  app.get(
    '/console/changes',
    { schema: followPacks, config: { root: true, scope: [], endless: true } },
    async (request, reply) => packFeed.serve(request, reply)
  )
}
