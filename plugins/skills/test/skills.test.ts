import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'

const booted = await boot(t, 'skills', { env: { SKILL_VERSIONS: '3' } })
const { as, settled, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]

const definition = {
  name: 'pdf-forms',
  description: 'Fills forms. Use it for PDFs.',
  instructions: '# Steps'
}
const create = async (fields: object = {}, client = ada) =>
  (await client.post('/v1/skills', { ...definition, ...fields })).body.data

t.test('skills are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/skills',
    create: () => definition,
    searched: { description: 'Quagga' },
    changes: {
      name: 'pdf-fields',
      slug: 'forms-of-pdfs',
      description: 'Reads fields',
      license: 'Apache-2.0',
      compatibility: 'Needs pypdf',
      metadata: { author: 'Ada', version: '1.0' },
      allowedTools: ['Bash(git add:*)', 'Read'],
      extensions: { model: 'small' },
      instructions: '# More steps'
    },
    wrong: {
      name: 'PDF Forms',
      slug: '-pdf',
      description: ' ',
      license: 1,
      metadata: [],
      allowedTools: 'Read',
      instructions: null,
      files: {}
    }
  })
)

t.test('names are those of the format', async (t) => {
  const refused = async (fields: object, param: string) =>
    t.match(await ada.post('/v1/skills', { ...definition, ...fields }), {
      status: 400,
      body: { error: { param } }
    })
  for (const name of ['', 'PDF', '-pdf', 'pdf-', 'pdf--forms', 'pdf forms', 'x'.repeat(65)])
    await refused({ name }, '/name')
  await refused({ description: 'x'.repeat(1_025) }, '/description')
  await refused({ compatibility: 'x'.repeat(501) }, '/compatibility')
  await refused({ allowedTools: ['Read', 'two names'] }, '/allowedTools/1')
  await refused({ extensions: { license: 'MIT' } }, '/extensions')
  const deep = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)
  await refused({ extensions: { deep } }, '/extensions')
  const long = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index, 'x'.repeat(2_000)]))
  await refused({ metadata: long }, '/metadata')
})

t.test('a slug is once in a project: given by the name where no other is asked for', async (t) => {
  const [first, second] = [await create({ name: 'slugs' }), await create({ name: 'slugs' }, eve)]
  t.equal(first.slug, 'slugs')
  t.match(second, { slug: 'slugs-2', name: 'slugs' })
  t.equal((await create({ name: 'index' })).slug, 'index-2', 'a name of the platform')
  const many = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'at-once' })))
  t.equal(new Set(many.map(({ slug }) => slug)).size, 5)
  t.match((await create({ name: 'x'.repeat(64) })).slug, /^x{64}$/)
  t.equal((await create({ name: 'x'.repeat(64) })).slug, `${'x'.repeat(62)}-2`)

  t.same((await ada.get('/v1/skills/slugs')).body.data, first)
  t.match(await ada.get('/v1/skills/slugs-2'), { status: 403 })
  t.match(await ada.get('/v1/skills/unheard-of'), { status: 404 })
  t.match(await as('zoe', { project: 'elsewhere', type: 'service' }).get('/v1/skills/slugs'), { status: 404 })
  const taken = { status: 409, body: { error: { code: 'slug_taken' } } }
  t.match(await ada.post('/v1/skills', { ...definition, slug: 'slugs' }), taken)
  t.match(await ada.put(`/v1/skills/${first.id}`, { slug: 'slugs-2' }), taken)
  const reserved = { status: 400, body: { error: { param: '/slug' } } }
  t.match(await ada.post('/v1/skills', { ...definition, slug: 'import' }), reserved)
  t.match(await ada.put('/v1/skills/slugs', { slug: 'index' }), reserved)
  t.match(await ada.put('/v1/skills/slugs', { slug: 'renamed' }), {
    status: 200,
    body: { data: { slug: 'renamed' } }
  })
  t.match(await ada.get('/v1/skills/slugs'), { status: 404 })
})

t.test('files are kept by what is in them', async (t) => {
  const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]).toString('base64')
  const files = [
    { path: 'scripts/fill.py', content: 'print(1)', executable: true },
    { path: 'assets/logo.png', content: image, encoding: 'base64' }
  ]
  const skill = await create({ files })
  t.match(skill.files, [
    { path: 'assets/logo.png', encoding: 'base64', size: 5, executable: false },
    { path: 'scripts/fill.py', encoding: 'utf8', size: 8, executable: true, sha256: /^[0-9a-f]{64}$/ }
  ])
  const url = `/v1/skills/${skill.id}`
  t.match((await ada.put(url, skill)).body.data, { version: 1 }, 'sent back as it was')
  const [logo, script] = skill.files
  const moved = [{ path: 'logo.png', sha256: logo.sha256 }, script, { path: 'new.md', content: 'new' }]
  t.match((await ada.put(url, { files: moved })).body.data, {
    version: 2,
    files: [{ path: 'logo.png', size: 5 }, { path: 'new.md' }, { path: 'scripts/fill.py', executable: true }]
  })

  const refused = async (files: object[], param: string, status = 400) =>
    t.match(await ada.put(url, { files }), { status, body: { error: { param } } }, JSON.stringify(files[0]))
  const content = 'x'
  for (const path of ['../x', '/x', 'a\\b', 'C:/x', 'a//b', 'a/', 'skill.MD'])
    await refused([{ path, content }], '/files/0/path')
  await refused(
    [
      { path: 'a', content },
      { path: 'A', content }
    ],
    '/files/1/path'
  )
  await refused([{ path: 'a' }], '/files/0/content')
  await refused([{ path: 'a', sha256: 'f'.repeat(64) }], '/files/0/sha256')
  await refused([{ path: 'a', content: '%', encoding: 'base64' }], '/files/0/content')
  const many = Array.from({ length: 201 }, (_, index) => ({ path: `${index}.md`, content }))
  await refused(many, '/files', 413)
  const large = { path: 'large.bin', content: 'x'.repeat(10_485_761) }
  await refused([large], '/files', 413)
  t.equal((await ada.get(url)).body.data.version, 2)
})

t.test('versions are kept, as many of the latest as are to be', async (t) => {
  const { id } = await create({ files: [{ path: 'a.md', content: 'first' }] })
  const url = `/v1/skills/${id}`
  await ada.put(url, { instructions: 'Second', files: [{ path: 'a.md', content: 'second' }] })
  const first = await ada.get(`${url}?version=1`)
  t.match(first.body.data, { version: 1, instructions: '# Steps', files: [{ path: 'a.md', size: 5 }] })
  t.equal(first.headers.get('etag'), '"1"')
  t.match((await ada.get(`${url}?version=1&format=zip`)).text, /first/)
  t.match(await ada.get(`${url}?version=9`), { status: 404 })
  t.match(await ada.get(`${url}?version=0`), { status: 400, body: { error: { param: 'version' } } })
  t.match(await ada.get(`${url}?version=1e300`), { status: 400, body: { error: { param: 'version' } } })
  t.match(await eve.get(`${url}?version=1`), { status: 403 })

  for (const version of [3, 4]) await ada.put(url, { instructions: `Version ${version}` })
  t.match(await ada.get(`${url}?version=1`), { status: 404 })
  t.match(await ada.get(`${url}?version=2`), { status: 200 })
  t.equal(
    (await platform.knex('skills.file').where({ skillId: id })).length,
    1,
    'bytes that no version has are gone'
  )
  await ada.delete(url)
  for (const table of ['version', 'file'])
    t.same(await platform.knex(`skills.${table}`).where({ skillId: id }), [], `nothing is left in ${table}`)
})

t.test('an agent is given skills by those who may change it and read the skill', async (t) => {
  const [{ id: agentId }, other] = [await ada.agent(), await eve.agent()]
  const [one, two] = [await create(), await create()]
  const at = (skill: { id: string }, agent = agentId) => `/v1/skills/${skill.id}/agents/${agent}`
  const on = { attached: true }
  t.match(await ada.put(at(one), on), {
    status: 200,
    body: { data: { skillId: one.id, agentId, attached: true } }
  })
  t.match(await ada.put(`/v1/skills/${two.slug}/agents/${agentId}`, on), { status: 200 })
  t.match(await ada.put(at(two), on), { status: 200 }, 'again')
  const listed = async (client = ada) =>
    (await client.get(`/v1/skills/agents/${agentId}`)).body.data.map(({ id }: { id: string }) => id)
  t.same(await listed(), [two.id, one.id])
  const page = (await ada.get(`/v1/skills/agents/${agentId}?limit=1`)).body
  t.match((await ada.get(`/v1/skills/agents/${agentId}?cursor=${page.nextCursor}`)).body.data, [
    { id: one.id }
  ])
  const index = (await ada.get(`/v1/skills/index?agentId=${agentId}`)).body.data
  const { id, slug, name, description, version } = two
  t.same(index[0], { id, slug, name, description, version })
  t.ok((await ada.get('/v1/skills/index?limit=100')).body.data.length > 2, 'all of the caller')

  const another = await ada.agent()
  await ada.put(at(one, another.id), on)
  const having = async (client = ada, query = '') =>
    (await client.get(`/v1/skills/${one.slug}/agents${query}`)).body
  t.same((await having()).data, [
    { skillId: one.id, agentId: another.id, attached: true },
    { skillId: one.id, agentId, attached: true }
  ])
  const { nextCursor } = await having(ada, '?limit=1')
  t.match(await having(ada, `?limit=1&cursor=${nextCursor}`), { data: [{ agentId }], nextCursor: null })
  t.match(await ada.get(`/v1/skills/${one.id}/agents?cursor=x`), { status: 400 })
  t.match(await ada.get('/v1/skills/nope/agents'), { status: 404 })
  t.match(await eve.get(`/v1/skills/${one.id}/agents`), { status: 403 })
  t.same((await having(as(agentId, { type: 'agent' }))).data, [{ skillId: one.id, agentId, attached: true }])

  t.match(await eve.put(at(one), on), { status: 403 })
  t.match(await eve.put(at(one, other.id), on), { status: 403 }, 'not her skill')
  t.match(await ada.put(at(one, other.id), on), { status: 403 }, 'not her agent')
  t.match(await ada.put(at(one, 'agent_nope'), on), { status: 404 })
  t.match(await ada.put(at({ id: 'nope' }), on), { status: 404 })
  t.match(await ada.put(at(one), { attached: 'yes' }), {
    status: 400,
    body: { error: { param: '/attached' } }
  })
  t.match(await eve.get(`/v1/skills/agents/${agentId}`), { status: 403 })
  t.match(await ada.get('/v1/skills/agents/agent_nope'), { status: 404 })
  t.match(await eve.get(`/v1/skills/index?agentId=${agentId}`), {
    status: 403,
    body: { error: { param: 'agentId' } }
  })

  const itself = as(agentId, { type: 'agent' })
  t.same(await listed(itself), [two.id, one.id])
  t.match(await itself.get(`/v1/skills/${one.id}`), { status: 200 }, 'it reads what it was given')
  t.match(await itself.put(`/v1/skills/${one.id}`, { instructions: 'Mine' }), { status: 403 })
  t.match(await itself.put(at(one), { attached: false }), { status: 403 })
  t.equal((await itself.get('/v1/skills')).body.data.length, 2)

  t.match(await ada.put(at(one), { attached: false }), { body: { data: { attached: false } } })
  t.match(await itself.get(`/v1/skills/${one.id}`), { status: 403 })
  await ada.delete(`/v1/skills/${two.id}`)
  t.same(await listed(), [])
  await ada.put(at(one), on)
  await ada.delete(`/v1/agents/${agentId}`)
  await settled()
  t.same(await platform.knex('skills.attachment').where({ agentId }), [], 'they go with the agent')
  t.match(await ada.get(`/v1/skills/${one.id}`), { status: 200 }, 'and stay themselves')
})
