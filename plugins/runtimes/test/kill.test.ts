// budget: 20 s, because an instance is killed, which is a process of its own
// tier: whole
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { noComputers } from '../../../test/computers.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { deployed, of, referenceRuntime, say, withRuntime } from './testbed.ts'

const skip = await noComputers()
t.setTimeout(300_000)

/** Known from all other programs by its name. */
const NAME = 'runtime-that-is-killed.mjs'
const running = () => {
  try {
    return Number(execFileSync('pgrep', ['-fc', `^node ${NAME}`]).toString())
  } catch {
    return 0
  }
}

t.test(
  'kill -9 of an instance with a runtime awake: none is orphaned, and its run goes on',
  { skip },
  async (t) => {
    const packs = [
      'access',
      'agents',
      'computers',
      'jobs',
      'models',
      'outgoing',
      'packs',
      'runs',
      'runtimes',
      'sessions'
    ]
    const booted = await boot(t, { packs })
    const ada = booted.as('ada')
    const victim = await startPlatform(t, booted.connection, [], packs)
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())
    const agent = await withRuntime(there, { command: ['node', NAME] })
    const content = await referenceRuntime()
    await there.post(`/v1/agents/${agent.id}/computer/files/write`, { files: [{ path: NAME, content }] })
    await deployed(there, agent.id)
    t.equal(running(), 1)
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    const cut = say(there, agent.id, `/slowly ${words}`)
    cut.catch(() => undefined)
    const { runId } = await until(
      async () => (await booted.platform.knex('runtimes.turn').where('last', '>', 3))[0],
      (turn) => turn !== undefined
    )
    await victim.kill()
    await until(
      async () => running(),
      (count) => count === 0
    )
    t.equal(running(), 0, 'it ended with its instance')
    // Its files lay in the folder of the instance that is gone: this one has others.
    await until(
      async () =>
        (await ada.post(`/v1/agents/${agent.id}/computer/files/write`, { files: [{ path: NAME, content }] }))
          .status,
      (status) => status === 200
    )
    const worker = booted.platform.points.all('jobs.worker').find(({ key }) => key === 'runtimes.reconcile')
    await worker?.value.work({}, new AbortController().signal)
    const ended = await until(
      async () => (await ada.get(`/v1/agents/runs/${runId}`)).body.data,
      ({ endedAt }) => endedAt !== null
    )
    t.match(ended, { status: /completed|failed/ })
    if (ended.status === 'completed')
      t.equal(ended.content.trim(), words, 'behind what its reader saw, nothing twice')
    else t.match(ended.error, { code: /^runtime_/ }, 'or says clearly why not')
    const { processes } = (await ada.get(of(agent.id))).body.data
    t.ok(
      processes.some(({ reason }: { reason: string | null }) => reason === 'instance_lost'),
      'its record is put right'
    )
    t.match((await say(ada, agent.id, 'again')).body.data, { content: 'You said: again' })
  }
)
