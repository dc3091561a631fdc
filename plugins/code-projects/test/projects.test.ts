import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'

const booted = await boot(t, 'code-projects', { env: {} })
const { as, anyone, settled, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]
const { id: agentId } = await ada.agent()
const of = (rest = '', agent = agentId) => `/v1/agents/${agent}/projects${rest}`
const make = async (fields: object = {}, client: Client = ada, agent = agentId) => {
  const { status, body } = await client.post(of('', agent), { name: 'Tea shop', ...fields })
  t.equal(status, 201)
  return body.data
}
const refuses = (status: number, param?: string, code?: string) => ({
  status,
  body: { error: { ...(param && { param }), ...(code && { code }) } }
})

t.test('a project is made of a template, changed, listed and deleted', async (t) => {
  const made = await ada.post(of(), { name: 'Tea & biscuits' })
  t.match(made, {
    status: 201,
    body: { data: { template: 'static', version: 1, fileCount: 3, previewUrl: null } }
  })
  t.match(made.body.data, { owner: 'ada', agentId, slug: /^tea-biscuits-[0-9a-z]{26}$/, buildCommand: null })
  t.equal(made.headers.get('etag'), '"1"')
  const url = of(`/${made.body.data.id}`)
  const read = (await ada.get(url)).body.data
  t.match(read.files, [
    { path: 'index.html', encoding: 'utf8', content: /<h1>Tea &#38; biscuits<\/h1>/, version: 1 },
    { path: 'main.js' },
    { path: 'style.css' }
  ])
  t.match(await ada.put(url, read), { status: 200, body: { data: { version: 1 } } }, 'sent back as it was')
  t.match(await ada.put(url, { name: 'Tea', buildCommand: 'make', outputFolder: './out/' }), {
    status: 200,
    body: { data: { name: 'Tea', buildCommand: 'make', outputFolder: 'out', version: 2 } }
  })
  t.match(await ada.put(url, { name: 'Tee' }, { 'if-match': '"1"' }), refuses(412))
  for (const outputFolder of ['../out', '/out', 'a/../../b', 'a\\b'])
    t.match(await ada.put(url, { outputFolder }), refuses(400, '/outputFolder'), outputFolder)
  t.match(await ada.put(url, { colour: 1 }), refuses(400, '/colour'))

  const other = await make({ template: 'vite' })
  t.match(other, { template: 'vite', buildCommand: 'npm run build', outputFolder: 'dist', singlePage: true })
  const page = (await ada.get(of('?limit=1'))).body
  t.equal(page.data[0].id, other.id)
  t.equal((await ada.get(of(`?limit=1&cursor=${page.nextCursor}`))).body.data[0].id, read.id)
  t.match(await ada.delete(url, { 'if-match': '"1"' }), refuses(412))
  t.match(await ada.delete(url), { status: 200, body: { data: { id: read.id, deleted: true } } })
  t.match(await ada.get(url), refuses(404))
})

t.test('it is nobody else’s, and of no other agent', async (t) => {
  const { id } = await make()
  const { id: another } = await ada.agent()
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['PUT', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['PUT', '/files', { files: [] }],
    ['POST', '/publish', {}],
    ['POST', '/verify', {}],
    ['POST', '/export', {}],
    ['POST', '/github', { repository: 'https://github.com/ada/tea', keyId: 'tkey_nope' }],
    ['GET', '/builds'],
    ['GET', '/publications'],
    ['POST', '/unpublish']
  ]
  const headers = { 'content-type': 'application/json' }
  const call = (client: Client, method: string, path: string, body?: object) =>
    client.request(method, path, body ? { body: JSON.stringify(body), headers } : {})
  for (const [method, rest, body] of calls) {
    const what = `${method} ${rest}`
    t.match(await call(eve, method, of(`/${id}${rest}`), body), refuses(403), what)
    t.match(await call(anyone, method, of(`/${id}${rest}`), body), refuses(401), what)
    t.match(await call(ada, method, of(`/${id}${rest}`, another), body), refuses(404), what)
    t.match(await call(ada, method, of(`/codeproject_nope${rest}`), body), refuses(404), what)
    t.match(await call(ada, method, of(`/${id}${rest}`, 'agent_nope'), body), refuses(404), what)
  }
  t.match(await eve.get(of()), refuses(403))
  t.match(await eve.post(of(), { name: 'Mine' }), refuses(403))
  t.match(
    await as('reader', { type: 'service', scopes: ['agents:read'] }).post(of(), { name: 'a' }),
    refuses(403)
  )
  const itself = as(agentId, { type: 'agent' })
  t.match(await itself.get(of(`/${id}`)), { status: 200 })
  t.match(await itself.put(of(`/${id}/files`), { delete: ['main.js'] }), { status: 200 })
  t.match(await as('zoe', { project: 'elsewhere', type: 'service' }).get(of(`/${id}`)), refuses(403))
})

t.test('files are written together or not at all, and nobody’s work is lost', async (t) => {
  const { id } = await make({
    files: [
      { path: 'a', content: 'A' },
      { path: 'b/c', content: 'C' }
    ]
  })
  const url = of(`/${id}`)
  const write = (body: object, headers?: Record<string, string>) => ada.put(`${url}/files`, body, headers)
  const png = Buffer.from([137, 80, 78, 71, 0, 255])
  t.match(
    await write({
      files: [{ path: 'p.png', content: png.toString('base64'), encoding: 'base64' }],
      delete: ['b/']
    }),
    {
      status: 200,
      body: {
        data: { version: 2, fileCount: 2, bytes: 7, files: [{ path: 'a' }, { path: 'p.png', content: null }] }
      }
    }
  )
  t.match((await ada.get(`${url}?path=p.png`)).body.data.files, [
    { encoding: 'base64', content: png.toString('base64'), size: 6, version: 2 }
  ])
  t.match(await ada.get(`${url}?path=nope`), refuses(404, 'path'))
  t.match((await ada.get(`${url}?content=false`)).body.data.files, [{ content: null }, { content: null }])

  t.match(
    await write({ files: [{ path: 'a', content: 'A' }] }),
    { body: { data: { version: 2 } } },
    'nothing changed'
  )
  const [one, two] = await Promise.all([
    write({ baseVersion: 2, files: [{ path: 'a', content: 'one' }] }),
    write({ baseVersion: 2, files: [{ path: 'a', content: 'two' }] })
  ])
  t.same([one?.status, two?.status].toSorted(), [200, 409], 'one of two that write the same file')
  t.match(
    [one, two].find(({ status }) => status === 409),
    refuses(409, '/files/0/path', 'file_changed')
  )
  t.match(
    await write({ baseVersion: 2, files: [{ path: 'new', content: '' }] }),
    { status: 200 },
    'another file'
  )
  t.match(await write({ baseVersion: 2, delete: ['a'] }), refuses(409, '/delete/0', 'file_changed'))
  t.match(await write({ files: [{ path: 'x', content: '' }] }, { 'if-match': '"2"' }), refuses(412))
  t.match(await write({ baseVersion: 99, files: [] }), refuses(412))

  const before = (await ada.get(url)).body.data
  const wrong: [object, string][] = [
    ...[
      '../x',
      '/etc/passwd',
      'a/../../x',
      'a//b',
      './x',
      'x/',
      'a\\b',
      'x\u0000y',
      'C:/x',
      '.git/config',
      'e\u0301'
    ].map((path): [object, string] => [
      {
        files: [
          { path: 'fine', content: '' },
          { path, content: '' }
        ]
      },
      '/files/1/path'
    ]),
    [{ files: [{ path: 'a/below-a-file', content: '' }] }, '/files/0/path'],
    [{ files: [{ path: 'P.PNG', content: '' }] }, '/files/0/path'],
    [
      {
        files: [
          { path: 'x', content: '' },
          { path: 'x', content: '' }
        ]
      },
      '/files/1/path'
    ],
    [{ files: [{ path: 'x', content: 'no base64!', encoding: 'base64' }] }, '/files/0/content'],
    [{ files: [{ path: 'x', content: 1 }] }, '/files/0/content'],
    [{ files: [{ path: 'a', content: '' }], delete: ['a'] }, '/delete'],
    [{ unheard: 1 }, '/unheard']
  ]
  for (const [body, param] of wrong) t.match(await write(body), refuses(400, param), JSON.stringify(body))
  t.same((await ada.get(url)).body.data, before, 'nothing of it was written')
  t.match(await write({ files: before.files, delete: ['not-there'] }), {
    status: 200,
    body: { data: { version: before.version } }
  })
})

t.test('what is too much is refused', async (t) => {
  const { as } = await boot(t, 'code-projects', {
    beside: booted,
    deployment: {
      folders: ['plugins'],
      enabled: false,
      packs: Object.fromEntries(
        ['access', 'agents', 'jobs', 'outgoing', 'storage', 'code-projects'].map((name) => [
          name,
          {
            enabled: true,
            ...(name === 'code-projects' && {
              settings: {
                projectsPerAgent: 2,
                projectFiles: 3,
                fileBytes: 1_024,
                projectBytes: 2_000,
                ownerBytes: 2_500
              }
            })
          }
        ])
      )
    }
  })
  const ada = as('bob')
  const { id } = await ada.agent()
  const made = await ada.post(of('', id), { name: 'Small', files: [] })
  const next = await ada.post(of('', id), { name: 'Next', files: [] })
  t.match(await ada.post(of('', id), { name: 'Another' }), refuses(429, undefined, 'too_many_projects'))
  const write = (files: object[]) => ada.put(of(`/${made.body.data.id}/files`, id), { files })
  t.match(await write([{ path: 'a', content: 'x'.repeat(1_025) }]), refuses(413))
  t.match(await write(['a', 'b', 'c', 'd'].map((path) => ({ path, content: '' }))), refuses(413))
  t.match(await write(['a', 'b'].map((path) => ({ path, content: 'x'.repeat(1_024) }))), refuses(413))
  t.match(await write([{ path: 'a', content: 'x'.repeat(1_024) }]), { status: 200 })
  const beside = (files: object[]) => ada.put(of(`/${next.body.data.id}/files`, id), { files })
  t.match(await beside([{ path: 'a', content: 'x'.repeat(1_000) }]), { status: 200 })
  t.match(await beside([{ path: 'b', content: 'x'.repeat(900) }]), refuses(507, undefined, 'quota_exceeded'))
  const publish = () => ada.post(of(`/${made.body.data.id}/publish`, id))
  t.match(await publish(), { status: 200 })
  t.match(await publish(), { status: 200 })
  t.match(await publish(), refuses(507, undefined, 'quota_exceeded'))
})

t.test('without computers nothing is run', async (t) => {
  const { id } = await make({ template: 'vite' })
  for (const path of ['/publish', '/verify', '/export'])
    t.match(await ada.post(of(`/${id}${path}`)), refuses(503, undefined, 'capability_missing'), path)
  t.same((await ada.get(of(`/${id}/builds`))).body.data, [])
  t.match(await ada.post(of(`/${id}/publish`), { wait: 999 }), refuses(400, '/wait'))
})

t.test('projects go with their agent, and what they published', async (t) => {
  const { id: agent } = await ada.agent()
  for (let n = 0; n < 7; n++) await make({}, ada, agent)
  const [{ id }] = (await ada.get(of('', agent))).body.data
  const { previewUrl, publicationId } = (await ada.post(of(`/${id}/publish`, agent))).body.data
  const holder = `code-projects/${publicationId}`
  t.not((await platform.knex('storage.reference').where({ holder })).length, 0)
  const { pathname } = new URL(previewUrl)
  t.equal((await anyone.get(pathname)).status, 200)
  await ada.delete(`/v1/agents/${agent}`)
  await settled()
  for (const name of ['codeproject', 'file', 'publication', 'build'])
    t.same(await platform.knex(`code_projects.${name}`).where({ agentId: agent }), [], name)
  t.same(await platform.knex('storage.reference').where({ holder }), [], 'nor does anything hold its bytes')
  t.equal((await anyone.get(pathname)).status, 404)
})
