import { readFileSync } from 'node:fs'
import t from 'tap'
import { isScope, listed, requiredScopes, SCOPES } from './scopes.ts'

interface Row {
  readonly method: string
  readonly path: string
  readonly scopes: readonly string[] | null
}
const routes: readonly Row[] = JSON.parse(
  readFileSync(new URL('../../test/specification/routes.json', import.meta.url), 'utf8')
)

t.test('every row of the endpoint table', async (t) => {
  t.equal(routes.length, 289)
  for (const { method, path, scopes } of routes) {
    const { any, always } = requiredScopes(method, path)
    if (scopes?.length) {
      t.strictSame(
        { any: [...any].sort(), always },
        { any: [...scopes].sort(), always: true },
        `${method} ${path}`
      )
      continue
    }
    t.equal(always, false, `${method} ${path} goes by ownership or takes no credential`)
    const area = path.split('/')[path.startsWith('/v1/') ? 2 : 1]
    const narrowed = path === '/v1/auth/me' ? [] : [`${area}:${method === 'GET' ? 'read' : 'write'}`]
    t.strictSame(any, narrowed, `${method} ${path} with a narrowed credential`)
  }
})

t.test('what the table does not list', async (t) => {
  const rows: [string, string, readonly string[], boolean][] = [
    ['GET', '/v1/agents/runs/:runId', ['agents:read', 'agents:run'], true],
    ['GET', '/v1/agents/runs/:runId/stream', ['agents:read', 'agents:run'], true],
    ['POST', '/v1/agents/runs/:runId/cancel', ['agents:write', 'agents:run'], true],
    ['DELETE', '/v1/agents/:agentId', ['agents:write'], true],
    ['POST', '/v1/agents/', ['agents:create'], true],
    ['HEAD', '/v1/agents', ['agents:read'], true],
    ['POST', '/v1/agents-of-others', ['agents-of-others:write'], false],
    ['DELETE', '/v1/compute/*', ['compute:write'], true],
    ['HEAD', '/v1/compute/*', ['compute:read'], true],
    ['GET', '/v1/packs', ['platform:admin'], true],
    ['POST', '/v1/packs/:name/reload', ['platform:admin'], true],
    ['GET', '/v1/logs', ['platform:admin'], true],
    ['GET', '/metrics', ['metrics:read'], false]
  ]
  for (const [method, path, any, always] of rows)
    t.strictSame(requiredScopes(method, path), { any, always }, `${method} ${path}`)
})

t.test('a list as it is stored', async (t) => {
  t.strictSame(listed(null), { scopes: null, admin: false })
  t.strictSame(listed(['platform:admin', 'agents:read', 'agents:read']), {
    scopes: ['agents:read'],
    admin: true
  })
  t.strictSame(listed([]), { scopes: [], admin: false })
})

t.test('what is a scope', async (t) => {
  for (const scope of [...SCOPES, 'platform:admin', 'tool-keys:write', 'a2a:read'])
    t.ok(isScope(scope), scope)
  for (const text of [
    '',
    'agents',
    'agents:delete',
    'Goals:read',
    'goals:read ',
    'platform:root',
    '*',
    ':read'
  ])
    t.notOk(isScope(text), JSON.stringify(text))
})
