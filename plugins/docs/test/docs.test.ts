import { createHash } from 'node:crypto'
import { validate } from '@scalar/openapi-parser'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { describeApi } from '../openapi/document.ts'
import { templatesOf } from '../openapi/paths.ts'
import { METHODS } from '../openapi/route.ts'

t.test('the document is valid and has every route of every pack', async (t) => {
  const { anyone, admin, platform } = await boot(t)
  const { status, headers, body } = await anyone.get('/openapi.json')
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^application\/json/)
  t.match(await validate(body), { valid: true, version: '3.1' })
  t.match(body.info, { version: '0.0.0-test' })

  const routes = platform.packs.mounted().flatMap(({ routes }) => routes)
  t.ok(routes.length > 10)
  const templates = templatesOf(routes.map(({ path }) => path))
  for (const { method, path } of routes.filter(({ method }) => METHODS.includes(method))) {
    const { template = '' } = templates.get(path) ?? {}
    t.ok(body.paths[template]?.[method.toLowerCase()]?.operationId, `${method} ${path}`)
  }
  const { faults } = describeApi(platform.packs.mounted(), { version: '1', baseUrl: 'http://127.0.0.1' })
  t.strictSame(faults, [], 'no two schemas share a title')

  const areas = new Map<string, string>()
  for (const { name, tags } of body['x-tagGroups']) for (const tag of tags) areas.set(tag, name)
  for (const { name, area } of (await admin.get('/v1/packs')).body.data)
    if (areas.has(name)) t.equal(areas.get(name), area, name)
  const tags = body.tags.map(({ name }: { name: string }) => name)
  const grouped = body['x-tagGroups'].flatMap(({ tags }: { tags: string[] }) => tags)
  t.strictSame(grouped.sort(), tags)
})

t.test('the document follows the packs, and is sent again only when it has changed', async (t) => {
  const { anyone, admin } = await boot(t, 'docs', 'goals', 'packs')
  const { headers, body } = await anyone.get('/openapi.json')
  t.match(Object.keys(body.paths), /\/v1\/goals\/\{goalId\}/)
  const etag = headers.get('etag') ?? ''
  t.match(etag, /^"[\w-]{22}"$/)
  const again = await anyone.get('/openapi.json', { 'if-none-match': `"other", ${etag}` })
  t.match(again, { status: 304, text: '' })
  t.equal(again.headers.get('etag'), etag)

  t.match(await admin.put('/v1/packs/goals', { enabled: false }), { status: 200 })
  const without = await anyone.get('/openapi.json', { 'if-none-match': etag })
  t.equal(without.status, 200)
  t.notMatch(Object.keys(without.body.paths), /goals/)

  t.match(await admin.put('/v1/packs/goals', { enabled: true }), { status: 200 })
  t.equal((await anyone.get('/openapi.json', { 'if-none-match': etag })).status, 304)
})

t.test('the page is of this server alone, and its script never changes under its name', async (t) => {
  const { anyone, admin } = await boot(t, 'docs')
  const page = await anyone.get('/docs')
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'nonce-([\w-]+)'(?:;|$)/.exec(policy)?.[1] ?? ''
  t.match(policy, /^default-src 'none';/)
  t.match(policy, /connect-src 'self'/)
  t.notMatch(policy, /unsafe-eval|https?:/)
  const scripts = [...page.text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
  t.equal(scripts.length, 3)
  for (const attributes of scripts) t.match(attributes, `nonce="${nonce}"`)
  t.notMatch((await anyone.get('/docs')).headers.get('content-security-policy'), nonce)

  const [, path = '', digest = ''] = /src="(\/docs\/assets\/scalar-(\w+)\.js)"/.exec(page.text) ?? []
  const script = await anyone.get(path)
  t.match(script, { status: 200, text: /createApiReference/ })
  t.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.match(createHash('sha256').update(script.text).digest('hex'), new RegExp(`^${digest}`))
  t.match(await admin.get('/docs/assets/scalar-0.js'), {
    status: 404,
    body: { error: { type: 'not_found' } }
  })
  t.match(await anyone.get('/docs?theme=dark'), { status: 400, body: { error: { param: 'theme' } } })
})

t.test('in production there is nothing', async (t) => {
  const { anyone, admin } = await boot(t, 'docs', { env: { NODE_ENV: 'production' } })
  for (const path of ['/openapi.json', '/docs', '/docs/assets/scalar-0.js'])
    t.match(await anyone.get(path), { status: 404 })
  t.match(await admin.get('/v1/auth/me'), { status: 200 })
})
