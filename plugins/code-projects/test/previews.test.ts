import { request } from 'node:http'
import t from 'tap'
import { boot } from '../../../test/boot.ts'

const { as, anyone, platform } = await boot(t, 'code-projects')
const ada = as('ada')
const { id: agentId } = await ada.agent()
const of = (rest = '') => `/v1/agents/${agentId}/projects${rest}`
const file = (path: string, content: string) => ({ path, content })

async function publish(files: object[], fields: object = {}) {
  const { id } = (await ada.post(of(), { name: 'Tea', files, ...fields })).body.data
  const build = (await ada.post(of(`/${id}/publish`))).body.data
  t.match(build, { status: 'completed', kind: 'publish', publicationId: String })
  return { id, path: new URL(build.previewUrl).pathname }
}

t.test('what is published is open to everyone, and runs as a stranger', async (t) => {
  const big = 'x'.repeat(600_000)
  const { path } = await publish([
    file('index.html', '<h1>Tea</h1>'),
    file('about.html', 'About'),
    file('docs/index.html', 'Docs'),
    file('app.js', 'export {}'),
    file('ä ?#%.txt', 'umlaut'),
    file('big.txt', big),
    file('.env', 'SECRET=1'),
    file('node_modules/a/index.js', ''),
    file('.well-known/security.txt', 'Contact')
  ])
  const page = await anyone.get(path)
  t.match(page, { status: 200, text: '<h1>Tea</h1>' })
  t.match(Object.fromEntries(page.headers), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': /^sandbox allow-scripts (?!.*allow-same-origin)/,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, no-cache',
    etag: /^"[0-9a-f]{64}"$/
  })
  t.notOk(page.headers.has('set-cookie'))
  const etag = page.headers.get('etag') as string
  for (const name of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
    t.match(await anyone.get(path, { 'if-none-match': name }), { status: 304, text: '' })
  t.match(await anyone.get(path, { 'if-none-match': '"x"' }), { status: 200 })

  const slashless = await anyone.get(`${path.slice(0, -1)}?a=b`)
  t.match(slashless, { status: 303 })
  t.equal(slashless.headers.get('location'), `${path}?a=b`)
  t.match(await anyone.get(`${path}about`), { status: 200, text: 'About' })
  t.match(await anyone.get(`${path}docs/`), { status: 200, text: 'Docs' })
  t.equal((await anyone.get(`${path}docs`)).headers.get('location'), `${path}docs/`)
  t.match(await anyone.get(`${path}${encodeURIComponent('ä ?#%.txt')}`), { status: 200, text: 'umlaut' })
  t.match(await anyone.get(`${path}.well-known/security.txt`), { status: 200 })
  t.match((await anyone.get(`${path}app.js`)).headers.get('content-type'), /^text\/javascript/)
  for (const hidden of [
    '.env',
    'node_modules/a/index.js',
    'nope.js',
    'nope',
    '..%2f..%2fx',
    '%2e%2e/x',
    'constructor'
  ])
    t.match(
      await anyone.get(`${path}${hidden}`),
      { status: 404, body: { error: { type: 'not_found' } } },
      hidden
    )

  const range = (value: string, headers = {}) => anyone.get(`${path}about.html`, { range: value, ...headers })
  t.match(await range('bytes=1-3'), { status: 206, text: 'bou' })
  t.equal((await range('bytes=-2')).headers.get('content-range'), 'bytes 3-4/5')
  t.match(await range('bytes=9-'), { status: 416 })
  t.match(await range('bytes=0-0', { 'if-range': '"other"' }), { status: 200, text: 'About' })
  t.equal((await anyone.get(`${path}big.txt`)).text, big)
  t.match(await anyone.get(`${path}big.txt`, { range: 'bytes=599998-' }), { status: 206, text: 'xx' })
  const head = await anyone.request('HEAD', `${path}big.txt`)
  t.match(head, { status: 200, text: '' })
  t.equal(head.headers.get('content-length'), '600000')
  t.match(await anyone.get(`${path}app.js`, { 'service-worker': 'script' }), { status: 403 })
  t.match(await anyone.get('/v1/previews/nope-01k4qz0000e0080000000000ab/'), { status: 404 })
  t.match(await anyone.get('/v1/previews/..%2f/'), { status: 404 })
  t.match(await anyone.post(path, {}), { status: 404 })
})

t.test('an app of a single page shows it at each of its addresses', async (t) => {
  const { path } = await publish([file('index.html', 'App'), file('a.js', 'a')], { singlePage: true })
  t.match(await anyone.get(`${path}orders/7`), { status: 200, text: 'App' })
  t.match(await anyone.get(`${path}orders/v1.2`, { accept: 'text/html,*/*' }), { status: 200, text: 'App' })
  t.match(await anyone.get(`${path}orders/a.js`), { status: 200, text: 'a' }, 'with what it names from there')
  t.match(await anyone.get(`${path}missing.js`), { status: 404 }, 'but not in place of a script')
  const fetched = { 'sec-fetch-dest': 'empty', accept: 'text/html' }
  t.match(await anyone.get(`${path}data`, fetched), { status: 404 }, 'nor of data')
  const plain = await publish([file('index.html', 'Site'), file('404.html', 'Lost')])
  t.match(await anyone.get(`${plain.path}orders/7`), { status: 404, text: 'Lost' })
})

t.test('earlier publications stay for a while, can be shown again, and all can be taken away', async (t) => {
  const { id, path } = await publish([file('index.html', 'one')])
  const slug = path.split('/').at(-2)
  const write = async (content: string) => {
    await ada.put(of(`/${id}/files`), { files: [file('index.html', content)] })
    return (await ada.post(of(`/${id}/publish`))).body.data
  }
  const second = await write('two')
  t.equal((await anyone.get(path)).text, 'two')
  const list = (await ada.get(of(`/${id}/publications`))).body.data
  t.match(list, [
    { number: 2, id: second.publicationId, isCurrent: true, version: 2, fileCount: 1, bytes: 3 },
    { number: 1, isCurrent: false, url: new RegExp(`/v1/previews/${slug}~1/$`) }
  ])
  const first = await anyone.get(`/v1/previews/${slug}~1/`)
  t.match(first, { status: 200, text: 'one' })
  t.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  t.match(await anyone.get(`/v1/previews/${slug}~3/`), { status: 404 })

  t.match(await ada.post(of(`/${id}/publications/${list[1].id}/restore`)), {
    status: 200,
    body: { data: { number: 1, isCurrent: true } }
  })
  t.equal((await anyone.get(path)).text, 'one', 'also where it was in memory')
  t.match((await ada.get(of(`/${id}`))).body.data, { publicationId: list[1].id, version: 2 })
  const other = await publish([file('index.html', 'other')])
  for (const [client, path, status] of [
    [as('eve'), of(`/${id}/publications/${list[1].id}/restore`), 403],
    [ada, of(`/${other.id}/publications/${list[1].id}/restore`), 404],
    [ada, of(`/${id}/publications/publication_nope/restore`), 404]
  ] as const)
    t.match(await client.post(path), { status })

  const [a, b, c] = await Promise.all([write('three'), write('three'), write('three')])
  t.same(
    [a, b, c].map(({ status }) => status),
    ['completed', 'completed', 'completed'],
    'several at once'
  )
  const numbers = (await ada.get(of(`/${id}/publications`))).body.data.map(
    ({ number }: { number: number }) => number
  )
  t.same(numbers, [5, 4, 3, 2, 1])
  for (let n = 0; n < 7; n++) await write(`more ${n}`)
  t.match(await anyone.get(`/v1/previews/${slug}~2/`), { status: 404 }, 'ten are kept')
  t.equal((await ada.get(of(`/${id}/publications`))).body.data.length, 10)

  t.match(await ada.post(of(`/${id}/unpublish`)), { status: 200, body: { data: { previewUrl: null } } })
  for (const gone of [path, `/v1/previews/${slug}`, `/v1/previews/${slug}~9/`])
    t.match(await anyone.get(gone), { status: 410, body: { error: { code: 'preview_unpublished' } } }, gone)
  await write('back')
  t.equal((await anyone.get(path)).text, 'back')
  await ada.delete(of(`/${id}`))
  t.match(await anyone.get(path), { status: 404 })
  t.same(await platform.knex('code_projects.publication').where({ projectId: id }), [])
})

t.test('there is something to publish', async (t) => {
  const { id } = (await ada.post(of(), { name: 'Empty', files: [file('.env', '')] })).body.data
  t.match(await ada.post(of(`/${id}/publish`)), { status: 409, body: { error: { code: 'nothing_built' } } })
})

t.test('previews may have origins of their own', async (t) => {
  const { as, url } = await boot(t, 'code-projects', { env: { PREVIEW_URL: 'http://*.previews.test' } })
  const ada = as('ada')
  const { id: agentId } = await ada.agent()
  const path = `/v1/agents/${agentId}/projects`
  const { id } = (await ada.post(path, { name: 'Tea' })).body.data
  const { previewUrl } = (await ada.post(`${path}/${id}/publish`)).body.data
  const { host, pathname } = new URL(previewUrl)
  t.match(host, /^tea-[0-9a-z]{26}\.previews\.test$/)
  const asked = async (at: string, name: string) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
      request(`${url}${at}`, { headers: { host: name } }, (reply) => {
        reply.resume()
        resolve({ status: reply.statusCode, headers: reply.headers })
      })
        .on('error', reject)
        .end()
    })
  t.match(await asked(pathname, host), {
    status: 200,
    headers: { 'content-security-policy': /allow-same-origin/ }
  })
  for (const other of ['127.0.0.1', `other.previews.test`])
    t.match(await asked(`${pathname}main.js?a=1`, other), {
      status: 303,
      headers: { location: `${previewUrl}main.js?a=1`, 'content-security-policy': /^sandbox/ }
    })
})

t.test('what is asked for without end is refused', async (t) => {
  const { anyone } = await boot(t, 'code-projects', { env: { CODE_PROJECTS_REQUESTS_PER_MINUTE: '5' } })
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => anyone.get('/v1/previews/nope-01k4qz0000e0080000000000ab/'))
  )
  t.equal(replies.filter(({ status }) => status === 429).length, 3)
})
