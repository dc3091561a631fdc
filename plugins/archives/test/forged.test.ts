// budget: 8 s, because two platforms import archives and take them back
import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { agentLine, at, blankSkill, examined, exported, forge, imported, line } from './testbed.ts'

const here = boot(t, 'archives', 'goals', 'knowledge', 'skills', 'tasks', 'tools', 'workflows')
const invalid = (message: RegExp) => ({ status: 400, body: { error: { code: 'archive_invalid', message } } })

t.test('what an archive may not be', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const agents = agentLine()
  const goal = line('goal', { title: 'Ship', description: null, progress: 0, status: 'open' })
  const cases: [string, Buffer, object][] = [
    ['an unknown kind', forge({ parts: { agents: agents + line('soul', {}) } }), invalid(/unknown kind/)],
    ['a name too much', forge({ parts: { agents: agentLine({ owner: 'ada' }) } }), invalid(/owner/)],
    ['a value of another type', forge({ parts: { agents: agentLine({ name: 7 }) } }), invalid(/name/)],
    ['NUL', forge({ parts: { agents: agentLine({ instructions: 'a\0b' }) } }), invalid(/cannot be kept/)],
    [
      'half a character',
      forge({ parts: { agents: agents.replace('Forged', '\\ud800') } }),
      invalid(/cannot be kept/)
    ],
    ['depth', forge({ parts: { agents: `${'['.repeat(9_000)}${']'.repeat(9_000)}\n` } }), invalid(/nested/)],
    [
      'a prototype',
      forge({ parts: { agents: agents.replace('"name"', '"__proto__":{},"name"') } }),
      invalid(/cannot be kept/)
    ],
    ['no JSON', forge({ parts: { agents: 'agent\n' } }), invalid(/not JSON/)],
    ['half a line', forge({ parts: { agents: `${agents}{` } }), invalid(/within a line/)],
    [
      'a long line',
      forge({ parts: { agents: agentLine({ instructions: 'x'.repeat(9_000_000) }) } }),
      invalid(/line of more/)
    ],
    ['two agents', forge({ parts: { agents: agents + agents } }), invalid(/one agent/)],
    ['no agent', forge({ parts: { agents: '' } }), invalid(/no agent/)],
    ['no part of agents', forge({ parts: { goals: goal } }), invalid(/begin with an agent/)],
    [
      'another order',
      forge({ parts: { agents, goals: goal }, files: (all) => all.toReversed() }),
      invalid(/order/)
    ],
    [
      'a file more',
      forge({ parts: { agents }, files: (all) => [{ name: 'x', content: '' }, ...all] }),
      invalid(/other files/)
    ],
    [
      'a file less',
      forge({ parts: { agents, goals: goal }, files: ([one, , manifest]) => [one, manifest] as never }),
      invalid(/other files/)
    ],
    [
      'other bytes',
      forge({
        parts: { agents },
        files: ([, manifest]) =>
          [{ name: 'parts/agents.jsonl', content: agentLine({ name: 'Other!' }) }, manifest] as never
      }),
      invalid(/other bytes/)
    ],
    [
      'fewer records',
      forge({
        parts: { agents },
        files: ([, manifest]) => [{ name: 'parts/agents.jsonl', content: '' }, manifest] as never
      }),
      invalid(/0 records/)
    ],
    ['a manifest that is open', forge({ parts: { agents }, manifest: { more: 1 } }), invalid(/manifest/)],
    ['a later format', forge({ parts: { agents }, manifest: { version: 2 } }), invalid(/manifest/)],
    ['a manifest without parts', forge({ parts: { agents }, manifest: { parts: [] } }), invalid(/manifest/)]
  ]
  for (const [what, bytes, expected] of cases) t.match(await examined(ada, bytes), expected, what)

  const unsafe = (name: string) =>
    forge({ parts: { agents }, files: (all) => [{ name, content: 'x' }, ...all] })
  for (const name of ['../out', '/etc/passwd', 'a/../../b', 'parts/agents.jsonl', 'PARTS/agents.jsonl'])
    t.match(
      await examined(ada, unsafe(name)),
      { status: 400, body: { error: { code: 'archive_unsafe' } } },
      name
    )
  t.same(
    (await ada.get('/v1/agents?limit=100')).body.data.filter(
      ({ name }: { name: string }) => name === 'Other!'
    ),
    []
  )
})

t.test('a later version of a part is left out, and a part that nobody knows', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const bytes = forge({ parts: { agents: agentLine(), stars: line('star', { magnitude: 1 }) } })
  t.match((await examined(ada, bytes)).body.data.parts[1], {
    pack: 'stars',
    what: null,
    skipped: 'not_mounted'
  })
  t.match(await imported(ada, bytes, { acceptUnsigned: true }), { status: 'completed' })
})

t.test('what fails in the middle leaves nothing', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const before = (await ada.get('/v1/agents?limit=100')).body.data.length
  const skill = {
    ...blankSkill,
    id: 'skill_01k4qz0000e0080000000000ab',
    slug: 'kept-not',
    name: 'kept-not'
  }
  const blob = 'green'
  const file = {
    path: 'a.md',
    size: 5,
    executable: false,
    sha256: 'ba4788b226aa8dc2e6dc74248bb9f618cfa8c959e0c26c147be48f6839a0b088'
  }
  const skills =
    line('skill', { ...skill, files: [file] }) +
    line('skill', { ...skill, slug: 'bad', files: [{ ...file, path: '../out' }] })
  const bytes = forge({ parts: { agents: agentLine(), skills }, blobs: [blob] })
  const done = await imported(ada, bytes, { acceptUnsigned: true })
  t.match(done, { status: 'failed', agentId: null, error: { code: 'path_invalid' } })
  await a.settled()
  t.equal((await ada.get('/v1/agents?limit=100')).body.data.length, before, 'no agent')
  t.match(await ada.get('/v1/skills/kept-not'), { status: 404 }, 'and no skill, though it was made before')
  t.same(await a.platform.knex('archives.reserved'), [])
})

t.test('what the last part refuses takes all back that the others made', async (t) => {
  const a = await here
  const uma = at(a.url, a.as('uma'))
  const agentId = 'agent_01k4qz0000e0080000000000ab'
  const [spaceId, text] = ['space_01k4qz0000e0080000000000ab', 'Be kind.']
  const document = { spaceId, path: 'a/rules.md', title: 'Rules', mediaType: 'text/markdown', pages: null }
  const digest = createHash('sha256').update(text).digest('hex')
  const original = { sha256: digest, name: 'rules.md' }
  const parts = {
    agents: agentLine({ id: agentId }),
    knowledge:
      line('space', {
        id: spaceId,
        name: 'Handbook',
        description: null,
        provider: 'embedded',
        level: 'read'
      }) + line('document', { ...document, text: digest, original }),
    tools:
      line('tool', {
        id: 'tool_01k4qz0000e0080000000000ab',
        name: 'ledger',
        kind: 'http',
        description: 'Reads the ledger',
        parameters: { type: 'object', properties: {} },
        config: { method: 'GET', url: 'https://ledger.example/' },
        idempotent: true
      }) +
      line('assignment', {
        toolId: 'tool_01k4qz0000e0080000000000ab',
        toolName: 'ledger',
        policy: 'ask',
        enabled: true
      }),
    workflows: line('workflow', {
      id: 'workflow_01k4qz0000e0080000000000ab',
      name: 'Greeting',
      description: null,
      definition: { steps: [{ id: 'greet', type: 'agent', config: { agentId, prompt: 'Greet.' } }] }
    })
  }
  const task = (isRecurring: boolean) =>
    line('task', {
      sessionId: null,
      title: 'Report',
      description: null,
      executionMode: 'single',
      workflowId: null,
      input: null,
      cronExpression: null,
      isRecurring,
      scheduledFor: null,
      timezone: null,
      retry: null,
      active: false
    })
  const archive = (tasks: string) => forge({ parts: { ...parts, tasks }, blobs: [text] })
  const refused = await imported(uma, archive(task(false) + task(true)), { acceptUnsigned: true })
  t.match(refused, { status: 'failed', error: { message: /needs cronExpression/ } })
  await a.settled()
  const counts = async () => {
    const { knex } = a.platform
    const tables = [
      'knowledge.space',
      'knowledge.document',
      'tools.tool',
      'tools.assignment',
      'workflows.workflow',
      'tasks.task'
    ]
    const rows = await Promise.all(
      tables.map((table) => knex(table).where({ owner: 'uma' }).count('* as n').first())
    )
    const files = await knex('files.file').where({ owner: 'uma', name: 'rules.md' }).pluck('id')
    const agents = (await uma.get('/v1/agents')).body.data.length
    return [...rows.map((row) => Number(row?.n)), files.length, agents]
  }
  t.same(await counts(), [0, 0, 0, 0, 0, 0, 0, 0])
  t.match(await imported(uma, archive(task(false)), { acceptUnsigned: true }), { status: 'completed' })
  t.same(await counts(), [1, 1, 1, 1, 1, 1, 1, 1], 'and without it all of it is there')
})

t.test('caps', async (t) => {
  const small = {
    ARCHIVES_ENTRIES: '20',
    ARCHIVES_RECORDS: '50',
    ARCHIVES_UNPACKED_BYTES: '200000',
    ARCHIVES_BYTES: '100000'
  }
  const b = await boot(t, 'archives', 'goals', 'skills', { env: small })
  const ada = at(b.url, b.as('ada'))
  const agents = agentLine()
  const tooLarge = { status: 413, body: { error: { code: 'archive_too_large' } } }
  const goals = line('goal', { title: 'Ship', description: null, progress: 0, status: 'open' }).repeat(60)
  t.match(await examined(ada, forge({ parts: { agents, goals } })), tooLarge, 'records')
  const blobs = Array.from({ length: 30 }, (_, index) => String(index))
  t.match(await examined(ada, forge({ parts: { agents }, blobs })), tooLarge, 'entries')
  const bomb = forge({ parts: { agents }, blobs: ['\0'.repeat(5_000_000)] })
  t.ok(bomb.length < 20_000)
  t.match(await examined(ada, bomb), tooLarge, 'unpacked')
  const large = forge({ parts: { agents }, blobs: [randomBytes(150_000).toString('latin1')] })
  t.match(await examined(ada, large), { status: 413 }, 'packed')

  const agent = await ada.agent()
  for (let index = 0; index < 51; index++)
    await ada.post('/v1/goals', { agentId: agent.id, title: `Goal ${index}` })
  const { record } = await exported(ada, agent.id)
  t.match(
    record,
    { status: 'failed', fileId: null, error: { code: 'archive_too_large' } },
    'an export as well'
  )
  t.same(
    await b.platform
      .knex('files.file')
      .whereLike('name', '%.agent.zip')
      .where({ owner: 'ada' })
      .andWhere('name', 'like', 'Agent%'),
    []
  )
})
