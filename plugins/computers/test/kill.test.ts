// budget: 12 s, because an instance is killed, which is a process of its own
// tier: whole
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { noComputers } from '../../../test/computers.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { rounds } from '../../../test/rounds.ts'

const skip = await noComputers()
const AWAKE = rounds(3, 20)
t.setTimeout(300_000)

t.test(
  `kill -9 of an instance with ${AWAKE} computers awake: all end, and are found again`,
  { skip },
  async (t) => {
    const packs = ['access', 'agents', 'outgoing', 'jobs', 'packs', 'computers']
    const env = { COMPUTERS_AWAKE_PER_OWNER: '50' }
    const booted = await boot(t, { packs, env })
    const ada = booted.as('ada')
    const victim = await startPlatform(t, booted.connection, [], packs, env)
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())
    const agents = await Promise.all(
      Array.from({ length: AWAKE }, async () => {
        const { id } = await ada.agent()
        const of = (path = '') => `/v1/agents/${id}/computer${path}`
        await ada.put(of('/config'), { enabled: true, memoryMb: 256 })
        const { status, body } = await there.post(of('/exec'), {
          command: 'setsid sleep 54321 >/dev/null 2>&1 & echo on'
        })
        t.match({ status, body }, { status: 200, body: { data: { stdout: 'on\n' } } })
        return of
      })
    )
    const sleepers = () => {
      try {
        return execFileSync('pgrep', ['-fc', '^sleep 54321']).toString().trim()
      } catch {
        return '0'
      }
    }
    t.equal(sleepers(), String(AWAKE))
    const cut = there.post((agents[0] as (path: string) => string)('/exec'), {
      command: 'sleep 300',
      timeLimit: 600
    })
    cut.catch(() => undefined)
    await until(
      async () =>
        (await ada.get((agents[0] as (path: string) => string)('/commands?status=running'))).body.data,
      ({ length }) => length === 1
    )
    await victim.kill()
    const left = await until(
      async () => sleepers(),
      (count) => count === '0'
    )
    t.equal(left, '0', 'none is orphaned')

    for (const of of agents) {
      const ended = await until(
        async () => ada.post(of('/exec'), { command: 'echo here' }),
        ({ status }) => status === 200
      )
      t.match(ended.body.data, { status: 'completed', stdout: 'here\n' }, 'another instance wakes it')
    }
    const worker = booted.platform.points.all('jobs.worker').find(({ key }) => key === 'computers.reconcile')
    await worker?.value.work({}, new AbortController().signal)
    const [first] = agents
    const { data } = (await ada.get(first?.('/commands') ?? '')).body
    t.match(data.at(-2), { command: 'sleep 300', status: 'failed', reason: 'computer_lost' })
  }
)
