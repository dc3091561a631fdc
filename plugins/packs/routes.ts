import type { App, Kernel } from 'agent-platform'
import { conflict } from 'agent-platform'
import {
  changePack,
  listChanges,
  listPacks,
  readPack,
  reloadPack,
  removePack,
  replayFact
} from './schemas.ts'

const config = { scope: ['platform:admin'] }

export function packRoutes(app: App, { packs, detach }: Pick<Kernel, 'packs' | 'detach'>) {
  app.get('/packs', { schema: listPacks, config }, async () => ({
    data: await packs.list(),
    nextCursor: null
  }))

  app.get('/packs/changes', { schema: listChanges, config }, ({ query: { pack, ...page } }) =>
    packs.changes(page, pack)
  )

  app.get('/packs/:name', { schema: readPack, config }, async ({ params }) => {
    return { data: await packs.show(params.name) }
  })

  app.put('/packs/:name', { schema: changePack, config }, async ({ principal, params, body }) => {
    if (params.name === 'packs' && body.enabled === false) throw ofTheDeployment()
    return { data: await packs.change(principal, params.name, body) }
  })

  app.delete('/packs/:name', { schema: removePack, config }, async (request) => {
    const { principal, params, query } = request
    if (params.name === 'packs') throw ofTheDeployment()
    // It waits for what is under way where the pack ran: it must not wait for itself.
    detach(request, () => undefined)
    const { name: id, ...gone } = await packs.remove(principal, params.name, query)
    return { data: { id, deleted: true as const, ...gone } }
  })

  app.post('/packs/:name/reload', { schema: reloadPack, config }, async ({ principal, params }) => {
    return { data: await packs.reload(principal, params.name) }
  })

  app.post(
    '/packs/:name/dead-lettered/:factId/replay',
    { schema: replayFact, config },
    async ({ params }) => {
      const { handled, error = null } = await packs.replay(params.name, params.factId)
      return { data: { id: params.factId, handled, error } }
    }
  )
}

/** No request could turn it on again. */
const ofTheDeployment = () =>
  conflict('Only the deployment can turn packs off', { code: 'locked', param: '/enabled' })
