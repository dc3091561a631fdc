import t from 'tap'
import { isScope, listed, needOf, SCOPES } from './scopes.ts'

t.test(
  'a route needs what it names, else the pair of its area where a credential was narrowed',
  async (t) => {
    t.strictSame(needOf('GET', '/v1/agents', ['agents:read']), { any: ['agents:read'], always: true })
    t.strictSame(needOf('GET', '/v1/auth/me', []), { any: [], always: true }, 'no scope at all')
    const rows: [string, string, string][] = [
      ['GET', '/v1/goals/:goalId', 'goals:read'],
      ['HEAD', '/v1/goals', 'goals:read'],
      ['DELETE', '/v1/goals/:goalId', 'goals:write'],
      ['POST', '/v1/tool-keys', 'tool-keys:write'],
      ['POST', '/v1/agents-of-others', 'agents-of-others:write'],
      ['GET', '/metrics', 'metrics:read']
    ]
    for (const [method, path, scope] of rows)
      t.strictSame(needOf(method, path), { any: [scope], always: false }, `${method} ${path}`)
  }
)

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
