// budget: 8 s, because which model answers depends on the deployment, and each deployment boots
import type { Greeted, GreetingLine } from 'agent-platform'
import t from 'tap'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'

const on = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'welcome']

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A platform, and what it says to a developer of that name. */
async function town(t: Scope, options: BootOptions = {}) {
  const booted = await boot(t, { packs: on, ...options })
  return { ...booted, greet: greeter(booted) }
}

function greeter({ platform, as, url }: Booted) {
  return async (name = 'ada'): Promise<readonly GreetingLine[]> => {
    const { principal: by } = (await platform.credentials.resolve(await as(name).key())) as Greeted['by'] & {
      principal: Greeted['by']
    }
    const lines = platform.points.all('platform.greeting').map(({ value }) => {
      return value.greet({ by, url, credential: '-H "x: y"', isTerminal: false })
    })
    return (await Promise.all(lines)).flat()
  }
}
const textOf = (lines: readonly GreetingLine[], label: string) =>
  lines.find((line) => line.label === label)?.text

t.test('the agent is made once, with its fact, and stays as its owner made it', async (t) => {
  const { as, greet, platform, settled } = await town(t)
  const ada = as('ada')
  const greetings = await Promise.all([greet(), greet(), greet(), greet()])
  const agents = (await ada.get('/v1/agents')).body.data
  t.equal(agents.length, 1)
  t.match(agents[0], { name: 'welcome', owner: ada.id, modelProvider: null })
  for (const lines of greetings) t.match(textOf(lines, 'Agent'), agents[0].id)
  await settled()
  const made = await platform.knex('kernel.fact').where({ name: 'agents.created' }).pluck('subject')
  t.same(made, [agents[0].id])

  await ada.put(`/v1/agents/${agents[0].id}`, { instructions: 'Mine now.' })
  t.match(textOf(await greet(), 'Agent'), agents[0].id)
  t.match(await ada.get(`/v1/agents/${agents[0].id}`), { body: { data: { instructions: 'Mine now.' } } })

  await ada.delete(`/v1/agents/${agents[0].id}`)
  const again = textOf(await greet(), 'Agent')
  t.notMatch(again, agents[0].id, 'a deleted one is made anew')
  t.not(textOf(await greet('bob'), 'Agent'), again, 'everyone has their own')
})

t.test('two instances that start at once make one', async (t) => {
  const first = await town(t)
  const second = await boot(t, { packs: on, beside: first })
  // The same key is good at both.
  const { principal: by } = (await first.platform.credentials.resolve(await first.as('ada').key())) as {
    principal: Greeted['by']
  }
  const ask = ({ platform, url }: Booted) =>
    platform.points.all('platform.greeting')[0]?.value.greet({ by, url, credential: '', isTerminal: false })
  await Promise.all([ask(first), ask(second), ask(first), ask(second)])
  t.equal((await first.as('ada').get('/v1/agents')).body.data.length, 1)
})

t.test('the question of the line has a sensible answer, also from the built-in model', async (t) => {
  const { as, greet } = await town(t)
  const command = (await greet()).find(({ isCommand }) => isCommand)
  const [, body = ''] = /-d '(.*)'$/.exec(command?.text ?? '') ?? []
  t.match(command?.text, '-H "x: y"')
  const reply = await as('ada').post('/v1/agents/run', JSON.parse(body))
  t.equal(reply.status, 200)
  t.match(JSON.stringify(reply.body), 'I can help with your first steps here')
})

t.test('which model answers, and why', async (t) => {
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /^local\/development \(Built-in\): no key of a provider is set; it answers from the instructions/],
    [{ OPENAI_API_KEY: 'sk-hush' }, /^openai\/gpt-[^ ]+ \(OpenAI\): OPENAI_API_KEY is set$/],
    [{ GEMINI_API_KEY: 'hush' }, /^google\/gemini-[^ ]+ \([^)]+\): GEMINI_API_KEY is set$/],
    [{ ANTHROPIC_API_KEY: 'hush', MODEL_ID: 'claude-x' }, /^anthropic\/claude-x .*: MODEL_ID says so$/],
    [
      { OPENAI_API_KEY: 'sk-hush', MODEL_PROVIDER: 'anthropic' },
      /^anthropic\/.*: MODEL_PROVIDER says so, but it is not configured: set ANTHROPIC_API_KEY$/
    ],
    [
      { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_COMPATIBLE_MODEL: 'llama' },
      /^openai-compatible\/llama .*: OPENAI_COMPATIBLE_BASE_URL is set$/
    ],
    [
      { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1' },
      /^openai-compatible \(OpenAI-compatible server\): OPENAI_COMPATIBLE_BASE_URL is set$/
    ]
  ]
  const { url, ...first } = await town(t)
  for (const [env, wanted] of cases) {
    const { greet, close } = await town(t, { env, beside: { url, ...first } })
    const lines = await greet()
    t.match(textOf(lines, 'Model'), wanted)
    t.notMatch(JSON.stringify(lines), 'hush')
    await close()
  }
})

t.test('a setting and a project’s own configuration are told as what they are', async (t) => {
  const { admin, greet } = await town(t)
  await admin.put('/v1/models/providers/anthropic', { apiKey: 'hush' })
  t.match(textOf(await greet(), 'Model'), /^anthropic\/.*: the project default configured it$/)
  await admin.put('/v1/packs/models', { settings: { modelProvider: 'local' } })
  t.match(textOf(await greet(), 'Model'), /^local\/development .*: the setting models.modelProvider says so/)
  const agent = await greet()
  t.ok(agent.some(({ isCommand }) => isCommand))
  await admin.put('/v1/packs/runs', { enabled: false })
  t.notOk(
    (await greet()).some(({ isCommand }) => isCommand),
    'nothing to paste where nothing runs'
  )
})
