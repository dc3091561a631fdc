import t from 'tap'
import { stage } from './testbed.ts'
import { httpServer, json } from './tool-server-fixture.ts'

t.test('without a registry there is a small catalogue', async (t) => {
  const { as, anyone } = await stage(t, { env: { MCP_REGISTRY_URL: 'off' } })
  const ada = as('ada')
  const all = (await ada.get('/v1/mcp/servers/marketplace?limit=100')).body
  t.ok(all.data.length >= 8)
  t.equal(all.nextCursor, null)
  for (const it of all.data) {
    t.match(it, { name: String, title: String, description: String, source: 'catalogue' })
    t.ok(it.remotes.length + it.packages.length > 0, it.name)
    for (const { url } of it.remotes) t.match(url, /^https:/)
  }
  const names: string[] = []
  let cursor = ''
  do {
    const { body } = await ada.get(
      `/v1/mcp/servers/marketplace?limit=4&cursor=${cursor}`.replace(/&cursor=$/, '')
    )
    names.push(...body.data.map(({ name }: { name: string }) => name))
    cursor = body.nextCursor ?? ''
  } while (cursor)
  t.same(
    names,
    all.data.map(({ name }: { name: string }) => name)
  )
  const found = (await ada.get('/v1/mcp/servers/marketplace?search=GITHUB')).body.data
  t.ok(found.some(({ name }: { name: string }) => name === 'com.github/github'))
  t.ok(found.length < all.data.length)
  const git = (await ada.get('/v1/mcp/servers/marketplace?search=git')).body.data
  t.notOk(
    git.some(({ name }: { name: string }) => /context7/.test(name)),
    'not by where its publisher is'
  )
  t.match((await ada.get('/v1/mcp/servers/marketplace?search=io.github.upstash')).body.data, [
    { title: 'Context7' }
  ])
  t.same((await ada.get('/v1/mcp/servers/marketplace?search=nothing%20like%20it')).body.data, [])
  t.match(await ada.get('/v1/mcp/servers/marketplace?cursor=x'), {
    status: 400,
    body: { error: { param: 'cursor' } }
  })
  t.match(await ada.get('/v1/mcp/servers/marketplace?limit=0'), {
    status: 400,
    body: { error: { param: 'limit' } }
  })
  t.match(await anyone.get('/v1/mcp/servers/marketplace'), { status: 401 })
})

const about = (status: string, isLatest: boolean) => ({
  'io.modelcontextprotocol.registry/official': { status, isLatest, publishedAt: '2026-01-01T00:00:00Z' }
})

t.test('by default it is the official registry', async (t) => {
  const { platform } = await stage(t)
  const { deps } = platform.server.current().packs.get('mcp') as { deps: Record<string, unknown> }
  t.match(deps.settings, { mcpRegistryUrl: 'https://registry.modelcontextprotocol.io' })
})

t.test('a registry in the official format', async (t) => {
  let broken = false
  const { url, seen } = await httpServer(t, ({ path }, reply) => {
    if (broken) return json(reply, 500, {})
    const { searchParams } = new URL(path, 'http://x')
    const cursor = searchParams.get('cursor')
    const server = {
      name: `org.example/${cursor ?? 'first'}`,
      title: 'Example',
      description: 'An example',
      version: '1.0.0',
      repository: { url: 'https://github.com/example/example', source: 'github' },
      websiteUrl: 'javascript:alert(1)',
      remotes: [
        { type: 'streamable-http', url: 'https://example.org/mcp', headers: [] },
        { type: 'carrier-pigeon', url: 'https://example.org' },
        { type: 'sse', url: 'file:///etc/passwd' }
      ],
      packages: [
        { registryType: 'npm', identifier: '@example/mcp', version: '1.0.0', transport: { type: 'stdio' } },
        7
      ]
    }
    return json(reply, 200, {
      servers: [
        { server, _meta: about('active', true) },
        { server: { ...server, name: 'org.example/old' }, _meta: about('active', false) },
        { server: { ...server, name: 'org.example/gone' }, _meta: about('deleted', true) },
        {
          server: {
            ...server,
            name: 'io.github.example/other',
            title: 'Other',
            description: 'Something else'
          }
        },
        { server: { description: 'without a name' } },
        null
      ],
      metadata: cursor ? { count: 1 } : { nextCursor: 'org.example/second', count: 1 }
    })
  })
  const { as } = await stage(t, { env: { MCP_REGISTRY_URL: `${url}/registry/` } })
  const list = (query = '') => as('ada').get(`/v1/mcp/servers/marketplace${query}`)

  const first = (await list('?limit=1&search=exa')).body
  t.same(first.data, [
    {
      name: 'org.example/first',
      title: 'Example',
      description: 'An example',
      version: '1.0.0',
      websiteUrl: null,
      repositoryUrl: 'https://github.com/example/example',
      remotes: [{ transport: 'http', url: 'https://example.org/mcp' }],
      packages: [{ registry: 'npm', identifier: '@example/mcp', version: '1.0.0' }],
      source: 'registry'
    }
  ])
  t.match(seen[0]?.path, '/registry/v0.1/servers?limit=1&version=latest&search=exa')
  const second = (await list(`?limit=1&search=exa&cursor=${first.nextCursor}`)).body
  t.match(second, { data: [{ name: 'org.example/org.example/second' }], nextCursor: null })

  const asked = seen.length
  t.same((await list('?limit=1&search=exa')).body, first)
  t.equal(seen.length, asked, 'a page is asked for once')

  broken = true
  t.match((await list('?limit=1&search=exa')).body, first, 'and kept')
  const fallen = (await list('?limit=2')).body
  t.match(fallen.data, [{ source: 'catalogue' }, { source: 'catalogue' }], 'else there is the catalogue')
  broken = false
  t.match(
    (await list(`?limit=2&cursor=${fallen.nextCursor}`)).body.data,
    [{ source: 'catalogue' }, {}],
    'to its end'
  )
})
