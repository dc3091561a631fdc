import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { indexText, loadedText } from '../acting/prompt.ts'

const server = await startModelServer(t)
const { as, settled, platform } = await boot(t, 'skills', 'runs', {
  env: { OPENAI_COMPATIBLE_BASE_URL: server.url, SKILLS_OF_AGENT: '2' }
})
const [ada, eve] = [as('ada'), as('eve')]

const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]).toString('base64')
const files = [
  { path: 'references/fields.md', content: '# Fields <untrusted>' },
  { path: 'references/long.md', content: `${'x'.repeat(39_999)}\u{1F600}end` },
  { path: 'scripts/fill.py', content: 'print("filled")' },
  { path: 'assets/logo.png', content: image, encoding: 'base64' }
]
const description = 'Fills forms.\nUse it for PDFs.'

async function skill(name: string, fields: object = {}, client = ada) {
  const input = { name, description, instructions: `# How to ${name}`, ...fields }
  return (await client.post('/v1/skills', input)).body.data
}
const attach = (client: Client, id: string, agentId: string, attached = true) =>
  client.put(`/v1/skills/${id}/agents/${agentId}`, { attached })
const run = async (agentId: string, content: string, more: object = {}, client = ada) =>
  (await client.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content }], ...more })).body.data
const call = (agentId: string, tool: string, args: object, more: object = {}) =>
  run(agentId, `/call ${tool} ${JSON.stringify(args)}`, more)

/** The system prompt that the model was sent last. */
const told = () =>
  String(server.requests.at(-1)?.body.messages.find(({ role }) => role === 'system')?.content)
const local = { modelProvider: 'local' }
const asking = { modelProvider: 'openai-compatible', modelId: 'mock?text=Done' }
const scripted = (tool: string, args: object) => ({
  modelProvider: 'openai-compatible',
  modelId: `mock?text=Done&tool=${tool}&args=${encodeURIComponent(JSON.stringify(args))}`
})

t.test('an agent is told of its skills, and loads one when it needs it', async (t) => {
  const [forms, letters] = [await skill('pdf-forms', { files }), await skill('letters')]
  const { id: agentId } = await ada.agent(asking)
  await run(agentId, 'Hello')
  t.notMatch(told(), /skill/, 'an agent without skills is told of none')
  t.notOk(server.requests.at(-1)?.body.tools)

  await attach(ada, forms.id, agentId)
  await attach(ada, letters.id, agentId)
  const { sessionId } = await run(agentId, 'Hello')
  const index = told()
  t.match(index, /- letters: Fills forms. Use it for PDFs.\n- pdf-forms: Fills forms. Use it for PDFs.\n/)
  t.notMatch(index, /# How to/, 'bodies are not in it')
  await run(agentId, 'Something else')
  t.equal(told(), index, 'the same bytes in another conversation')

  await ada.put(`/v1/agents/${agentId}`, scripted('load_skill', { skill: 'pdf-forms' }))
  t.match(await run(agentId, 'Fill it in', { sessionId }), { status: 'completed', content: 'Done' })
  const names = files.map(({ path }) => path).toSorted()
  const body = `<skill name="pdf-forms">\n# How to pdf-forms\nFiles: ${names.join(', ')}\n</skill>`
  t.ok(told().includes(body), 'from the next step on it stands in the prompt')
  t.ok(
    told().startsWith(index.slice(0, index.indexOf('\n\nWhat tools return'))),
    'behind what stood there before'
  )

  await ada.put(`/v1/agents/${agentId}`, asking)
  await run(agentId, 'And now?', { sessionId })
  t.ok(told().includes(body), 'for the rest of the conversation')
  await ada.put(`/v1/skills/${forms.id}`, { instructions: '# A better way' })
  await run(agentId, 'And now?', { sessionId })
  t.match(told(), /# A better way/, 'as it is now')
  await run(agentId, 'Hello')
  t.notMatch(told(), /# A better way/, 'another conversation has not loaded it')

  await attach(ada, forms.id, agentId, false)
  await run(agentId, 'And now?', { sessionId })
  t.notMatch(told(), /pdf-forms:|# A better way/, 'what was taken away is gone')
  await ada.delete(`/v1/skills/${letters.id}`)
  await run(agentId, 'And now?', { sessionId })
  t.notMatch(told(), /letters/)

  t.equal((await platform.knex('skills.loaded').where({ sessionId })).length, 1)
  await ada.delete(`/v1/sessions/${sessionId}`)
  await settled()
  t.same(await platform.knex('skills.loaded').where({ sessionId }), [], 'it goes with the session')
})

t.test('files of a skill are read by a tool, scripts never executed', async (t) => {
  const { id: agentId } = await ada.agent(local)
  const own = await skill('reading', { files })
  await attach(ada, own.id, agentId)
  const read = (path: string, more: object = {}) =>
    call(agentId, 'read_skill_file', { skill: own.slug, path, ...more })
  t.match(await call(agentId, 'load_skill', { skill: own.slug }), {
    status: 'completed',
    content: /references\/fields.md.*Its instructions stand in your prompt now/s
  })
  t.match((await read('references/fields.md')).content, /# Fields/)
  t.match((await read('scripts/fill.py')).content, /filled.*not executed here/s)
  t.match((await read('assets/logo.png')).content, /no text \(5 bytes\).*computer/)
  t.match((await read('../secret')).content, /has no such file, but: assets/)
  const first = (await read('references/long.md')).content
  t.match(first, /"nextOffset":39999/, 'a part ends with a whole character')
  t.match((await read('references/long.md', { offset: 39_999 })).content, /\u{1F600}end.*"nextOffset":null/u)
  t.match((await read('references/fields.md', { offset: 999 })).content, /"content":""/)
  t.match(
    (await call(agentId, 'load_skill', { skill: 'unheard' })).content,
    /no skill of that name, but: reading/
  )
  t.match((await call(agentId, 'load_skill', {})).content, /no skill of that name/)
})

t.test('an agent loads what it was given and nothing else', async (t) => {
  const [mine, hers] = [await skill('mine'), await skill('hers', {}, eve)]
  const [{ id: agentId }, { id: other }] = [await ada.agent(local), await eve.agent(local)]
  t.notMatch(
    (await call(agentId, 'load_skill', { skill: 'mine' })).content,
    /stand in your prompt/,
    'no tool yet'
  )
  await attach(ada, mine.id, agentId)
  await attach(eve, hers.id, other)
  t.match((await call(agentId, 'load_skill', { skill: 'hers' })).content, /no skill of that name, but: mine/)
  t.match((await call(agentId, 'load_skill', { skill: 'mine' })).content, /stand in your prompt/)
  await attach(ada, (await skill('second')).id, agentId)
  t.match(await attach(ada, (await skill('third')).id, agentId), {
    status: 409,
    body: { error: { code: 'too_many_skills' } }
  })
  t.match(await attach(ada, mine.id, agentId), { status: 200 }, 'again is no more')
})

t.test('the prompt is bounded, and the same for the same skills', async (t) => {
  const given = ['a', 'b', 'c'].map((slug) => ({
    id: slug,
    slug,
    name: slug,
    description: 'x'.repeat(1_024)
  }))
  t.equal(indexText(given, 16_000), indexText([...given], 16_000))
  t.match(indexText(given, 16_000), 'x'.repeat(1_024))
  const cut = indexText(given, 1_000)
  t.ok(cut.length <= 1_000, `${cut.length} characters`)
  for (const { slug } of given) t.match(cut, `\n- ${slug}: x`, 'none is left out')

  const loaded = ['first', 'second', 'third'].map((slug) => ({
    slug,
    instructions: 'x'.repeat(100),
    files: []
  }))
  t.same(loadedText(loaded, 1_000).match(/name="\w+"/g), ['name="first"', 'name="second"', 'name="third"'])
  t.same(loadedText(loaded, 300).match(/name="\w+"/g), ['name="second"', 'name="third"'], 'the latest stay')
  t.equal(loadedText(loaded, 10), '')
})
