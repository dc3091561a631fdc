// budget: 14 s, because processes of their own are killed
// tier: whole
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import {
  eventsUntil,
  execute,
  isLast,
  stepOf,
  transform,
  workflowOf
} from '../../plugins/workflows/test/testbed.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { packText, temporaryFolder, writeFiles } from '../pack-folders.ts'
import { start } from '../packs/processes.ts'
import { rounds } from '../rounds.ts'
import { randomOf, seed } from '../seed.ts'

t.setTimeout(rounds(600_000, 3_600_000))
const random = randomOf(seed)

const KILLS = rounds(2, 13)
const EXECUTIONS = 4
const packs = [
  'access',
  'agents',
  'outgoing',
  'models',
  'sessions',
  'jobs',
  'runs',
  'tools',
  'workflows',
  'outside'
]

const outside = packText(
  'outside',
  `contributes: {
    'workflows.step': ['once', 'again'].map((key) => ({
      key,
      make: () => ({
        config: { type: 'object' },
        idempotent: key === 'again',
        async run({ key: attempt }) {
          const reply = await fetch(process.env.EFFECTS_URL + '/' + key + '/' + encodeURIComponent(attempt))
          return { output: await reply.text() }
        }
      })
    }))
  }`
)

/** What steps do outside, by the key of the attempt. */
async function startEffects() {
  const seen = new Map<string, number>()
  const server = createServer((request, reply) => {
    seen.set(request.url ?? '', (seen.get(request.url ?? '') ?? 0) + 1)
    setTimeout(() => reply.end('done'), random(15))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const steps = [
  transform('first', '{{ input.n }}'),
  { id: 'effect', type: 'once', dependsOn: ['first'], onError: { step: 'unsure' } },
  transform('unsure', '{{ steps.effect.error.code }}'),
  {
    id: 'each',
    type: 'forEach',
    dependsOn: ['first'],
    config: { items: [1, 2, 3], concurrency: 2, steps: [{ id: 'item', type: 'again' }] }
  },
  { id: 'ok', type: 'approval', dependsOn: ['each'], config: { message: 'Well?' } },
  { id: 'after', type: 'again', dependsOn: ['ok'] },
  transform('last', '{{ [steps.first.output, steps.ok.output.data] }}', {
    dependsOn: ['first', 'after', 'ok']
  })
]

t.test(`kill -9 in the middle of ${KILLS * EXECUTIONS} executions (SEED=${seed})`, async (t) => {
  const effects = await startEffects()
  process.env.EFFECTS_URL = effects.url
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'outside'), { 'pack.ts': outside })
  const home = await boot(t, { packs, folders: [folder] })
  const ada = home.as('ada')
  const workflowId = await workflowOf(ada, steps)

  async function spawn() {
    const running = await start(t, fileURLToPath(new URL('../packs/child.ts', import.meta.url)), {
      LOG_LEVEL: 'silent',
      EFFECTS_URL: effects.url,
      STAGE_CONNECTION: JSON.stringify(home.connection),
      STAGE_DEPLOYMENT: JSON.stringify({
        folders: [join(root, 'plugins'), folder],
        enabled: false,
        packs: Object.fromEntries(packs.map((name) => [name, { enabled: true }]))
      })
    })
    await running.ready
    return { ...running, client: createClient(running.url, 'ada', ada.key()) }
  }

  let next = spawn()
  const begun: string[] = []
  let resumed = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await next
    if (kill < KILLS - 1) next = spawn()
    const paths: string[] = []
    for (let n = 0; n < EXECUTIONS; n++) {
      paths.push((await execute(victim.client, workflowId, { n: kill * EXECUTIONS + n })).path)
      await delay(random(30))
    }
    const point = random(16)
    await eventsUntil(victim, victim.client, paths[0] as string, ({ seq, path, status }) => {
      return seq >= point || (path === 'ok' && status === 'waiting')
    })
    // What was decided is decided, however soon the instance goes.
    const { body } = await victim.client.get(paths[0] as string)
    if (stepOf(body.data, 'ok')?.status === 'waiting')
      t.match(await victim.client.post(`${paths[0]}/approve`, { data: 7 }), { status: 200 })
    await delay(random(10))
    await victim.kill()
    begun.push(...paths)
  }
  await next

  for (const [n, path] of begun.entries()) {
    await eventsUntil(
      home,
      ada,
      path,
      (event) => isLast(event) || (event.path === 'ok' && event.status === 'waiting')
    )
    const before = (await ada.get(path)).body.data
    const isDecided = (stepOf(before, 'ok')?.decisions.length ?? 0) > 0
    if (!isDecided)
      t.match(await ada.post(`${path}/approve`, { stepId: 'ok', data: 7 }), { status: 200 }, path)
    const events = await eventsUntil(home, ada, path, () => false)
    t.same(
      events.map(({ seq }) => seq),
      events.map((_, index) => index),
      'no gap'
    )
    if (events.some(({ status }) => status === 'resumed')) resumed++
    const ended = (await ada.get(path)).body.data
    t.match(ended, { status: 'completed', output: { last: [n, 7] } })
    const completed = events.filter(({ type, status }) => type === 'step' && status === 'completed')
    t.equal(new Set(completed.map(({ path }) => path)).size, completed.length, 'no completed step runs again')
    t.match(stepOf(ended, 'ok')?.decisions.length, 1)
    const effect = stepOf(ended, 'effect')
    if (effect?.status === 'failed') t.match(effect, { error: { code: 'outcome_unknown' } })
  }
  const once = [...effects.seen].filter(([path]) => path.startsWith('/once/'))
  t.ok(once.length > 0)
  t.same(
    once.filter(([, count]) => count > 1),
    [],
    'what must not be repeated is not'
  )
  t.ok(resumed > 0, `${resumed} executions were taken over`)
})
