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

export function packRoutes(app: App, { hosting, hold }: Pick<Kernel, 'hosting' | 'hold'>) {
  app.get('/packs', { schema: listPacks, config }, async () => ({
    data: await hosting.list(),
    nextCursor: null
  }))

  app.get('/packs/changes', { schema: listChanges, config }, ({ query: { pack, ...page } }) =>
    hosting.changes(page, pack)
  )

  app.get('/packs/:name', { schema: readPack, config }, async ({ params }) => {
    return { data: await hosting.show(params.name) }
  })

  app.put('/packs/:name', { schema: changePack, config }, async ({ principal, params, body }) => {
    if (params.name === 'packs' && body.enabled === false) throw ofTheDeployment()
    return { data: await hosting.change(principal, params.name, body) }
  })

  app.delete('/packs/:name', { schema: removePack, config }, async (request) => {
    const { principal, params, query } = request
    if (params.name === 'packs') throw ofTheDeployment()
    // It waits for what is under way where the pack ran: it must not wait for itself.
    hold(request, () => undefined)
    return { data: await hosting.remove(principal, params.name, query) }
  })

  app.post('/packs/:name/reload', { schema: reloadPack, config }, async ({ principal, params }) => {
    return { data: await hosting.reload(principal, params.name) }
  })

  app.post('/packs/:name/parked/:factId/replay', { schema: replayFact, config }, async ({ params }) => {
    return { data: { id: params.factId, ...(await hosting.replay(params.name, params.factId)) } }
  })
}

/** No request could turn it on again. */
const ofTheDeployment = () =>
  conflict('Only the deployment can turn packs off', { code: 'locked', param: '/enabled' })
