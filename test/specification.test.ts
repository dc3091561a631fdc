import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import type { MountedRoute } from '../kernel/http/routes.ts'
import { boot } from './boot.ts'
import type { Client, Reply } from './client.ts'
import { additions, homes } from './specification/homes.ts'
import rows from './specification/routes.json' with { type: 'json' }

interface Row {
  readonly area: string
  readonly method: string
  readonly path: string
  /** Any of them suffices; none: ownership decides; null: no credential is needed. */
  readonly scopes: readonly string[] | null
}
const specified: readonly Row[] = rows
const nameOf = ({ method, path }: Pick<Row, 'method' | 'path'>) => `${method} ${path}`
/** Static segments keep their names, parameters may be called differently. */
const shapeOf = (row: Pick<Row, 'method' | 'path'>) => nameOf(row).replaceAll(/:\w+/g, ':')
/** `/v1/goals` of `/v1/goals/:goalId` */
const areaOf = ({ path }: Pick<Row, 'path'>) => path.split('/').slice(0, 3).join('/')
const homeOf = ({ path }: Row) =>
  Object.keys(homes).find((pack) => homes[pack]?.some((pattern) => pattern.test(path)))
const exists = (pack: string | undefined) =>
  pack !== undefined && existsSync(join(root, 'plugins', pack, 'pack.ts'))

type Mounted = MountedRoute & { readonly pack: string }
const platform = boot(t)
const mounted = platform.then(({ platform }) => {
  const packs = platform.packs.mounted()
  return new Map(
    packs.flatMap(({ name: pack, routes }) => routes.map((it) => [shapeOf(it), { ...it, pack }]))
  )
})
/** The platform's own, below every generation. */
const ofKernel = new Set(['GET /health'])

t.test('what is specified is mounted where its pack exists', async (t) => {
  const routes = await mounted
  t.equal(specified.length, 289)
  t.equal(new Set(specified.map(nameOf)).size, specified.length, 'no row stands there twice')
  for (const row of specified) {
    const home = homeOf(row)
    const route = routes.get(shapeOf(row))
    if (exists(home)) t.equal(route?.pack, home, `${nameOf(row)} is served by ${home}`)
    else t.notOk(route, `${nameOf(row)} waits for its pack, or test/specification/homes.ts has to name it`)
    if (route) t.equal(route.path, row.path, `${row.path} calls its parameters as the specification does`)
  }
})

/** Routes whose bearer credential is a token of their pack's: no key opens them. */
const ownCredential = new Set(['POST /v1/liaison/interact'])

t.test('each specified route asks for the scopes named, and for nothing else', async (t) => {
  const { as, anyone, admin } = await platform
  const routes = await mounted
  for (const row of specified) {
    const route = routes.get(shapeOf(row))
    if (!route && !ofKernel.has(nameOf(row))) continue
    const call = (by: Client) => by.request(row.method, pathOf(row))
    const narrowed = (scope: string) => call(as(`only-${scope}`, { scopes: [scope] }))
    const isOperators = row.scopes?.includes('platform:admin')
    const name = nameOf(row)

    t.equal((await call(anyone)).status === 401, row.scopes !== null, `${name} asks for a credential, or not`)
    if (row.scopes === null || ownCredential.has(name)) continue
    t.notOk(
      lacksScope(await call(isOperators ? admin : as('unnarrowed'))),
      `${name} opens for a key of all scopes`
    )
    if (row.path !== '/v1/auth/me')
      t.ok(lacksScope(await narrowed('nothing-here:read')), `${name} is closed to a key of other scopes`)
    if (isOperators) continue
    for (const scope of row.scopes) t.notOk(lacksScope(await narrowed(scope)), `${name} opens for ${scope}`)
  }
})

t.test('what an agent is and does needs a scope, beside the specified routes as well', async (t) => {
  const below = [...(await mounted).values()].filter(({ path }) => /^\/v1\/agents(\/|$)/.test(path))
  t.same(below.filter(({ need }) => !need.always).map(nameOf), [], 'none goes by ownership alone')
  const needs = Object.fromEntries(below.map((route) => [nameOf(route), route.need.any.join(' ')]))
  t.match(needs, {
    'DELETE /v1/agents/:agentId': 'agents:write',
    'GET /v1/agents/runs/:runId': 'agents:read agents:run',
    'GET /v1/agents/runs/:runId/stream': 'agents:read agents:run',
    'POST /v1/agents/runs/:runId/cancel': 'agents:write agents:run',
    'POST /v1/agents/runs/:runId/elicitations/:elicitationId': 'agents:write agents:run',
    'POST /v1/agents/runs/:runId/approvals/:callId': /^agents:write$/
  })
})

t.test('the operator’s routes open for an operator alone', async (t) => {
  const { as, admin } = await platform
  const routes = [...(await mounted).values()].filter(({ pack }) => pack === 'packs')
  t.not(routes.length, 0)
  for (const route of routes) {
    const call = (by: Client) => by.request(route.method, pathOf(route))
    t.ok(lacksScope(await call(as('unnarrowed'))), `${nameOf(route)} is closed to projects`)
    t.notOk(lacksScope(await call(admin)), `${nameOf(route)} opens for platform:admin`)
  }
})

t.test('what is not specified is a known addition', async (t) => {
  const routes: Mounted[] = [...(await mounted).values()]
  const known = new Set(specified.map(shapeOf))
  const others = routes.filter((route) => !known.has(shapeOf(route)))
  const isNamed = (route: Mounted) => additions[nameOf(route)] !== undefined
  const here = new Set([...Object.keys(homes), ...others.filter(isNamed).map(({ pack }) => pack)])
  const areas = new Set([...specified, ...others.filter(({ pack }) => here.has(pack))].map(areaOf))
  t.same(
    others
      .filter(({ pack, ...route }) => here.has(pack) || areas.has(areaOf(route)))
      .filter((route) => !isNamed(route))
      .map(nameOf),
    [],
    'each stands in test/specification/homes.ts with a reason, or below a path of its own'
  )
  const stale = Object.keys(additions).filter((name) => known.has(shapeOf(partsOf(name))))
  t.same(stale, [], 'nothing is called an addition that is specified')
})

t.test('how far it has come', async (t) => {
  const routes = await mounted
  const open = specified.filter((row) => !routes.has(shapeOf(row)) && !ofKernel.has(nameOf(row)))
  const areas = Object.entries(Object.groupBy(open, ({ area }) => area)).sort()
  t.comment(`${specified.length - open.length} of ${specified.length} specified routes are served`)
  for (const [area, rows = []] of areas) t.comment(`to come: ${rows.length} of ${area}`)
  const owed = open.filter((row) => exists(homeOf(row)))
  t.same(owed.map(nameOf), [], 'none of them is owed by a pack that exists')
})

const pathOf = ({ path }: Pick<Row, 'path'>) => path.replaceAll(/:\w+|\*/g, 'none')
const lacksScope = ({ status, body }: Reply) => status === 403 && body?.error.code === 'scope_missing'
const partsOf = (name: string) => {
  const [method = '', path = ''] = name.split(' ')
  return { method, path }
}
