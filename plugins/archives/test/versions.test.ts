// budget: 8 s, because two platforms keep what skills and documents were
import { createHash } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import {
  agentLine,
  at,
  blankSkill,
  bytesLine,
  contentOf,
  examined,
  exported,
  forge,
  imported,
  line
} from './testbed.ts'

const here = boot(t, 'archives', 'knowledge', 'provenance', 'skills')
const there = boot(t, 'archives', 'knowledge', 'packs', 'skills')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const refused = (code: string) => ({ status: 400, body: { error: { code } } })

t.test('skills and documents come with what they were, and when', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id: agentId } = await ada.agent()
  const file = (content: string) => ({ path: 'kinds.md', content })
  const { body: skill } = await ada.post('/v1/skills', {
    name: 'tea',
    description: 'Makes tea',
    instructions: 'Boil water.',
    files: [file('green')]
  })
  const skillAt = `/v1/skills/${skill.data.id}`
  await ada.put(skillAt, { instructions: 'Boil fresh water.', files: [file('green, black')] })
  await ada.put(skillAt, { description: 'Makes good tea' })
  await ada.put(`${skillAt}/agents/${agentId}`, { attached: true })

  const { body: space } = await ada.post('/v1/knowledge', { name: 'Handbook' })
  const path = `/v1/knowledge/${space.data.id}`
  await ada.post(`${path}/grants`, { subjectType: 'agent', subjectId: agentId, level: 'read' })
  const { body: folder } = await ada.post(`${path}/folders`, { name: 'rules' })
  const { body: document } = await ada.post(`${path}/documents`, {
    title: 'Holidays',
    content: 'Twenty days. #old',
    folderId: folder.data.id
  })
  const documentAt = `${path}/documents/${document.data.id}`
  await ada.patch(documentAt, { title: 'Days off' })
  await ada.patch(documentAt, { content: 'Thirty days.' })
  await a.settled()
  t.match(await a.as('eve').post(`/v1/agents/${agentId}/export`), { status: 403 })
  const { record, bytes } = await exported(ada, agentId)
  t.match(record, { status: 'completed' })
  const { text, records } = await contentOf(t.testdir(), bytes)
  t.notMatch(text, /"ada"/, 'and nothing says whose it was')
  t.equal(records.knowledge?.filter(({ kind }) => kind === 'past').length, 2)

  const b = await there
  const bob = at(b.url, b.as('bob'))
  const done = await imported(bob, bytes, { trustedKeys: [record.keyId] })
  t.match(done, { status: 'completed' })
  const read = async (client: typeof bob, url: string) => (await client.get(url)).body.data
  const tea = await read(bob, '/v1/skills/tea')
  t.match(tea, { version: 3, description: 'Makes good tea', instructions: 'Boil fresh water.', owner: 'bob' })
  const contents = async (client: typeof bob, id: string, version: number) => {
    const { text } = await client.get(`/v1/skills/${id}?format=markdown&version=${version}`)
    return [text, (await read(client, `/v1/skills/${id}?version=${version}`)).files]
  }
  for (const version of [1, 2]) {
    t.same(await contents(bob, tea.id, version), await contents(ada, skill.data.id, version))
    const [then, before] = [
      await read(bob, `/v1/skills/tea?version=${version}`),
      await read(ada, `${skillAt}?version=${version}`)
    ]
    t.match(then, { owner: 'bob', id: tea.id, version, updatedAt: before.updatedAt })
  }
  const zip = (client: typeof bob, id: string) => client.get(`/v1/skills/${id}?format=zip&version=1`)
  t.equal((await zip(bob, tea.id)).text, (await zip(ada, skill.data.id)).text, 'with its files')

  const [space2] = await read(bob, '/v1/knowledge')
  const [now] = await read(bob, `/v1/knowledge/${space2.id}/documents`)
  t.match(now, { version: 3, title: 'Days off', path: 'rules/Holidays.md' })
  const url = `/v1/knowledge/${space2.id}/documents/${now.id}`
  const pick = ({ title, content, tags, path, updatedAt, version }: Record<string, unknown>) => {
    return { title, content, tags, path, updatedAt, version }
  }
  for (const version of [1, 2])
    t.same(
      pick(await read(bob, `${url}?version=${version}`)),
      pick(await read(ada, `${documentAt}?version=${version}`))
    )
  t.match(await read(bob, `${url}?version=1`), { folderId: now.folderId, content: 'Twenty days. #old' })
  const found = (words: string) => read(bob, `/v1/knowledge/${space2.id}/search?query=${words}`)
  t.match(await found('thirty'), [{ text: /Thirty/ }])
  t.same(
    (await found('twenty')).filter((it: { text: string }) => /Twenty/.test(it.text)),
    [],
    'what was is not searched'
  )
  // And the next edit goes on from there.
  t.match(await bob.patch(url, { title: 'Free days' }), { status: 200, body: { data: { version: 4 } } })
  t.match(await bob.put('/v1/skills/tea', { license: 'MIT' }), { body: { data: { version: 4 } } })

  const again = await contentOf(t.testdir(), (await exported(bob, done.agentId)).bytes)
  const times = (all: typeof records, pack: string) =>
    all[pack]?.filter(({ kind }) => kind === 'past').map(({ data }) => data.at)
  for (const pack of ['skills', 'knowledge'])
    t.same(times(again.records, pack)?.slice(0, 2), times(records, pack), pack)
})

const now = (version: number) =>
  line('skill', { id: 'skill_01k4qz0000e0080000000000ab', slug: 'brew', version, ...blankSkill })
const was = (version: number, fields: object = {}) =>
  line('past', { version, at: '2026-01-01T00:00:00.000Z', ...blankSkill, ...fields })
const ofSkills = (skills: string, blobs: string[] = []) =>
  forge({ parts: { agents: agentLine(), skills }, blobs, versions: { skills: 2 } })

t.test('a past that cannot be is refused', async (t) => {
  const b = await there
  const bob = at(b.url, b.as('bob'))
  const spaceId = 'space_01k4qz0000e0080000000000ab'
  const about = { title: 'Rules', mediaType: 'text/markdown', pages: null, original: null }
  const document = (version: number) =>
    line('space', { id: spaceId, name: 'H', description: null, provider: 'embedded', level: 'read' }) +
    line('document', { spaceId, path: 'rules.md', text: sha256('new'), version, ...about })
  const past = (version: number, text: string, path = 'rules.md') =>
    line('past', { path, text: sha256(text), at: '2026-01-01T00:00:00.000Z', tags: [], version, ...about })
  const ofKnowledge = (knowledge: string) =>
    forge({ parts: { agents: agentLine(), knowledge }, blobs: ['new'], versions: { knowledge: 2 } })
  const broken = refused('archive_invalid')
  const cases: [string, Buffer][] = [
    ['of no skill', ofSkills(was(1))],
    ['of a skill that has none', ofSkills(now(1) + was(1))],
    ['later than the skill', ofSkills(now(2) + was(3))],
    ['in another order', ofSkills(now(4) + was(2) + was(1))],
    ['twice', ofSkills(now(4) + was(2) + was(2))],
    ['no time', ofSkills(now(2) + line('past', { version: 1, at: 'once', ...blankSkill }))],
    ['bytes of a skill', ofSkills(now(2) + bytesLine('x'))],
    ['of no document', ofKnowledge(past(1, 'old'))],
    ['later than the document', ofKnowledge(document(2) + past(2, 'old'))],
    ['documents in another order', ofKnowledge(document(9) + past(2, 'old') + past(1, 'older'))],
    ['of an unknown space', ofKnowledge(document(2).split('\n').slice(1).join('\n'))]
  ]
  for (const [what, bytes] of cases) t.match(await examined(bob, bytes), broken, what)

  const refuses = async (bytes: Buffer, code: string, what: string) =>
    t.match(
      await imported(bob, bytes, { acceptUnsigned: true }),
      { status: 'failed', agentId: null, error: { code } },
      what
    )
  const old = bytesLine('old')
  await refuses(ofKnowledge(document(2) + past(1, 'other') + old), 'archive_invalid', 'another text')
  await refuses(ofKnowledge(document(2) + past(1, 'other')), 'archive_invalid', 'no text')
  await refuses(
    ofKnowledge(document(2) + past(1, 'old', '../rules.md') + old),
    'bad_path',
    'a path that leads out'
  )
  const file = (path: string, size = 3) => ({ path, size, executable: false, sha256: sha256('old') })
  const withFile = (path: string, size?: number) =>
    ofSkills(now(2) + was(1, { files: [file(path, size)] }), ['old'])
  await refuses(withFile('../old.md'), 'path_invalid', 'a file that leads out')
  await refuses(withFile('old.md', 4), 'archive_invalid', 'a file of another size')
  await refuses(
    ofSkills(now(2) + was(1, { files: [file('old.md')] })),
    'archive_invalid',
    'a file that is not there'
  )
  await refuses(
    ofSkills(now(2) + was(1, { extensions: { name: 'x' } })),
    'invalid',
    'a definition that is none'
  )
  await b.settled()
  t.match(await bob.get('/v1/skills/brew'), { status: 404 })
})

t.test('an archive has no more of the past than a skill may have, or none', async (t) => {
  const b = await there
  const gus = at(b.url, b.as('gus'))
  t.match(await b.admin.put('/v1/packs/skills', { settings: { skillVersions: 3 } }), { status: 200 })
  const all = Array.from({ length: 6 }, (_, index) => was(index + 1, { description: `v${index + 1}` }))
  const done = await imported(gus, ofSkills(now(7) + all.join('')), { acceptUnsigned: true })
  t.match(done, { status: 'completed' })
  const kept = await b.platform
    .knex('skills.version')
    .where({ owner: 'gus' })
    .orderBy('version')
    .pluck('version')
  t.same(kept, [5, 6, 7])

  const { version: _, ...first } = JSON.parse(now(1)).data
  const before = forge({ parts: { agents: agentLine(), skills: line('skill', { ...first, slug: 'first' }) } })
  t.match(await imported(gus, before, { acceptUnsigned: true }), { status: 'completed' })
  t.match((await gus.get('/v1/skills/first')).body.data, { version: 1 }, 'as it was written before')
})
