// budget: 4 s, because an instance is killed, which is a process of its own
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { noKubernetes, startCluster } from '../../../test/kubernetes/cluster.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'

t.test(
  'kill -9 of an instance: what ran ends, or is found and removed, whatever folder the instances have',
  { skip: await noKubernetes() },
  async (t) => {
    const cluster = await startCluster(t)
    const packs = ['access', 'agents', 'outgoing', 'jobs', 'packs', 'computers']
    const booted = await boot(t, { packs, env: cluster.env })
    const ada = booted.as('ada')
    const victim = await startPlatform(t, booted.connection, [], packs, cluster.env)
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())
    const started = async () => {
      const { id } = await ada.agent()
      const of = (path = '') => `/v1/agents/${id}/computer${path}`
      await ada.put(of('/config'), { enabled: true, provider: 'kubernetes', memoryMb: 256, storageMb: 64 })
      const { body, text } = await there.post(of('/exec'), {
        command: 'echo kept >note; setsid sleep 300 >/dev/null 2>&1 & echo on'
      })
      t.equal(body.data?.stdout, 'on\n', text)
      return of
    }
    const [ends, hangs] = [await started(), await started()]
    // One that hears of nothing goes on.
    void there
      .post(hangs('/exec'), { command: 'kill -STOP $PPID; sleep 300', timeLimit: 600 })
      .catch(() => undefined)
    await until(
      async () => (await ada.get(hangs('/commands?status=running'))).body.data,
      ({ length }) => length === 1
    )
    const phases = async () => (await cluster.pods()).map(({ status }) => status.phase).sort()
    t.same(await phases(), ['Running', 'Running'])

    await victim.kill()
    t.same(
      await until(phases, (it) => it.includes('Succeeded')),
      ['Running', 'Succeeded'],
      'the one whose guest hears of it has ended'
    )
    const reconcile = booted.platform.points
      .all('jobs.worker')
      .find(({ key }) => key === 'computers.reconcile')
    await until(
      async () => {
        await reconcile?.value.work({}, new AbortController().signal)
        return cluster.pods()
      },
      ({ length }) => length === 0
    )
    for (const lost of [ends, hangs]) {
      t.match((await ada.get(lost())).body.data, { state: 'asleep', reason: 'computer_lost' })
      t.match((await ada.post(lost('/exec'), { command: 'cat note; pgrep sleep' })).body.data, {
        stdout: 'kept\n'
      })
    }
  }
)
