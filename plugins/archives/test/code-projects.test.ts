// budget: 8 s, because two platforms have an agent with code projects
import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { agentLine, at, bytesLine, contentOf, examined, exported, forge, imported, line } from './testbed.ts'

const here = boot(t, 'archives', 'code-projects', 'computers', 'provenance')
const there = boot(t, 'archives', 'code-projects', 'packs')
const picture = randomBytes(700_000)
const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/projects${rest}`

const project = (fields: object = {}) =>
  line('project', {
    name: 'Tea',
    description: null,
    template: 'static',
    buildCommand: null,
    outputFolder: '.',
    startCommand: null,
    singlePage: false,
    published: false,
    ...fields
  })
const file = (path: string, content = 'tea') => line('file', { path }) + bytesLine(content)
const archive = (records: string) => forge({ parts: { agents: agentLine(), 'code-projects': records } })

t.test('code projects go along with their files, and what is published is not', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id: agentId } = await ada.agent()
  const { body: shop } = await ada.post(of(agentId), {
    name: 'Tea shop',
    description: 'Sells tea',
    files: [
      { path: 'index.html', content: '<h1>Grüner Tee</h1>' },
      { path: 'img/leaf.png', content: picture.toString('base64'), encoding: 'base64' },
      { path: 'empty.txt', content: '' }
    ]
  })
  await ada.post(of(agentId), { name: 'App', template: 'vite', outputFolder: 'out' })
  const published = await ada.post(of(agentId, `/${shop.data.id}/publish`), { wait: 60 })
  t.match(published, { status: 200 })

  // What another owner has with the agent's id is not the agent's to take along.
  const row = await a.platform.knex('code_projects.codeproject').where({ id: shop.data.id }).first()
  const stranger = { ...row, id: `${row.id.slice(0, -2)}zz`, owner: 'eve', name: 'Of Eve', slug: 'of-eve' }
  await a.platform.knex('code_projects.codeproject').insert(stranger)
  t.match(await a.as('eve').post(`/v1/agents/${agentId}/export`), { status: 403 })

  const { record, bytes } = await exported(ada, agentId)
  t.match(record, { status: 'completed' })
  const { text, records } = await contentOf(t.testdir(), bytes)
  t.notMatch(text, /Of Eve|previews/)
  t.same(
    records['code-projects']?.filter(({ kind }) => kind === 'project').map(({ data }) => data.name),
    ['Tea shop', 'App']
  )

  const b = await there
  const bob = at(b.url, b.as('bob'))
  const report = (await examined(bob, bytes)).body.data
  t.match(report.lacks, [{ pack: 'code-projects', type: 'publication', name: 'Tea shop' }])
  const done = await imported(bob, bytes, { trustedKeys: [record.keyId] })
  t.match(done, { status: 'completed', report: { lacks: [{ type: 'publication' }] } })
  const all = (await bob.get(of(done.agentId))).body.data
  t.match(all, [
    { name: 'App', template: 'vite', owner: 'bob', outputFolder: 'out', buildCommand: 'npm run build' },
    { name: 'Tea shop', description: 'Sells tea', publicationId: null, previewUrl: null, version: 1 }
  ])
  const { files } = (await bob.get(of(done.agentId, `/${all[1].id}`))).body.data
  const sha256 = createHash('sha256').update(picture).digest('hex')
  t.match(files, [
    { path: 'empty.txt', size: 0 },
    { path: 'img/leaf.png', size: picture.length, sha256 },
    { path: 'index.html', content: '<h1>Grüner Tee</h1>' }
  ])
  t.equal((await bob.get(of(done.agentId, `/${all[0].id}`))).body.data.files.length, 6)
})

t.test('hostile projects are refused before anything is made', async (t) => {
  const b = await there
  const bob = at(b.url, b.as('bob'))
  const before = (await bob.get('/v1/agents')).body.data.length
  const refused = (code: string) => ({ status: 400, body: { error: { code, param: '/fileId' } } })
  const cases: [string, string, object][] = [
    ['above', project() + file('../out'), refused('path_refused')],
    ['within', project() + file('a/../../out'), refused('path_refused')],
    ['absolute', project() + file('/etc/passwd'), refused('path_refused')],
    ['Git', project() + file('.git/hooks/pre-commit'), refused('path_refused')],
    ['a file and a folder', project() + file('a') + file('a/b'), refused('path_refused')],
    ['twice', project() + file('a') + file('a'), refused('archive_invalid')],
    ['no project', file('a'), refused('archive_invalid')],
    ['an output elsewhere', project({ outputFolder: '../..' }), refused('path_refused')],
    ['an unknown template', project({ template: 'php' }), refused('archive_invalid')],
    ['a name too much', project({ slug: 'mine' }), refused('archive_invalid')],
    ['bytes of a project', project() + bytesLine('x'), refused('archive_invalid')],
    ['bytes of nothing', bytesLine('x') + project(), refused('archive_invalid')],
    [
      'no base64',
      `${project()}${line('file', { path: 'a' })}${line('bytes', { base64: '!' })}`,
      refused('archive_invalid')
    ],
    [
      'a long line of bytes',
      project() + file('a') + bytesLine('x'.repeat(5_000_000)),
      refused('archive_invalid')
    ],
    ['no JSON', `${project()}{"kind":"file"\n`, refused('archive_invalid')]
  ]
  for (const [what, records, expected] of cases)
    t.match(await examined(bob, archive(records)), expected, what)
  const unsafe = await imported(bob, archive(project() + file('../out')), { acceptUnsigned: true })
  t.match(unsafe, { status: 'failed', agentId: null, error: { code: 'path_refused' } })
  t.equal((await bob.get('/v1/agents')).body.data.length, before)
})

t.test('limits of projects hold for archives', async (t) => {
  const b = await there
  const bob = at(b.url, b.as('bob'))
  const limits = { projectsPerAgent: 1, projectFiles: 2, fileBytes: 1_024, projectBytes: 1_500 }
  t.match(await b.admin.put('/v1/packs/code-projects', { settings: limits }), { status: 200 })
  const large = 'x'.repeat(1_000)
  const cases: [string, string][] = [
    ['projects', project() + project()],
    ['files', project() + file('a') + file('b') + file('c')],
    ['bytes of a file', project() + file('a', 'x'.repeat(1_025))],
    ['bytes of a file in pieces', project() + file('a', large) + bytesLine(large)],
    ['bytes of a project', project() + file('a', large) + file('b', large)]
  ]
  for (const [what, records] of cases)
    t.match(
      await examined(bob, archive(records)),
      { status: 413, body: { error: { param: '/fileId' } } },
      what
    )
  t.match(await examined(bob, archive(project() + file('a', large) + file('b'))), { status: 200 })

  t.match(await b.admin.put('/v1/packs/code-projects', { settings: { ownerBytes: 1_024 } }), { status: 200 })
  const full = await imported(bob, archive(project() + file('a', large) + file('b', large.slice(0, 400))), {
    acceptUnsigned: true
  })
  t.match(full, { status: 'failed', agentId: null, error: { code: 'quota_exceeded' } })
  await b.settled()
  t.same(await b.platform.knex('code_projects.file').where({ path: 'b' }), [], 'and nothing is left of it')
})
