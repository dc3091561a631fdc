// budget: 12 s, because an instance is killed, which is a process of its own
// tier: whole
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { sharePackCopies } from '../../../test/data-dir.ts'
import { dockerDaemon, IMAGE, LIMITS, noDocker } from '../../../test/docker.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'

t.test(
  'kill -9 of an instance: what ran ends, or is found and removed, and nothing else is',
  { skip: await noDocker() },
  async (t) => {
    const daemon = await dockerDaemon(t)
    const packs = ['access', 'agents', 'outgoing', 'jobs', 'packs', 'computers']
    const env = { DOCKER_HOST: daemon.host, COMPUTERS_DOCKER_IMAGE: IMAGE }
    const booted = await boot(t, { packs, env })
    const ada = booted.as('ada')
    // Instances have the folder of homes in common.
    const dataDir = await mkdtemp(join(tmpdir(), 'agent-platform-killed-'))
    t.teardown(() => rm(dataDir, { recursive: true, force: true }))
    await sharePackCopies(dataDir, true)
    await mkdir(join(booted.dataDir, 'computers'), { recursive: true })
    await symlink(join(booted.dataDir, 'computers'), join(dataDir, 'computers'))
    const victim = await startPlatform(t, booted.connection, [], packs, { ...env, DATA_DIR: dataDir })
    await victim.ready
    const there = createClient(victim.url, 'ada', await ada.key())

    const started = async () => {
      const { id } = await ada.agent()
      const of = (path = '') => `/v1/agents/${id}/computer${path}`
      await ada.put(of('/config'), { enabled: true, provider: 'docker', memoryMb: 256 })
      const { body } = await there.post(of('/exec'), {
        command: 'echo kept >note; setsid sleep 300 >/dev/null 2>&1 & echo on'
      })
      t.equal(body.data?.stdout, 'on\n')
      return of
    }
    const [ends, hangs, at] = [await started(), await started(), await started()]
    // One that hears of nothing goes on.
    void there
      .post(hangs('/exec'), { command: 'kill -STOP $PPID; sleep 300', timeLimit: 600 })
      .catch(() => undefined)
    const running = () => daemon.containers('--filter', 'status=running')
    // Somebody else's, and one of another platform.
    const others = [
      await daemon.podman('run', '--detach', ...LIMITS, '--network', 'none', IMAGE, 'sleep', '300'),
      await daemon.podman(
        ...['run', '--detach', ...LIMITS, '--network', 'none'],
        ...[
          '--label',
          `agent-platform.installation=${'0'.repeat(32)}`,
          '--label',
          'agent-platform.computer=1'
        ],
        ...[IMAGE, 'sleep', '300']
      )
    ]
    // Handed to the instance that lives.
    t.match(await ada.post(at('/sleep')), { status: 200 })
    await ada.post(at('/exec'), { command: 'setsid sleep 300 >/dev/null 2>&1 & echo on' })
    t.equal((await running()).length, 5)
    await until(
      async () => (await ada.get(hangs('/commands?status=running'))).body.data,
      ({ length }) => length === 1
    )

    await victim.kill()
    const alive = await until(running, ({ length }) => length <= 4)
    t.equal(alive.length, 4, 'the one whose guest hears of it has ended, and no other')
    const reconcile = booted.platform.points
      .all('jobs.worker')
      .find(({ key }) => key === 'computers.reconcile')
    await until(
      async () => {
        await reconcile?.value.work({}, new AbortController().signal)
        return daemon.containers()
      },
      ({ length }) => length === 3
    )
    const left = await daemon.containers('--no-trunc')
    t.same(
      others.filter((id) => !left.includes(id)),
      [],
      'those of others are there still'
    )
    t.match((await ada.get(at())).body.data, { state: 'awake' }, 'and that of an instance that lives')
    t.match((await ada.post(at('/exec'), { command: 'pgrep -c sleep' })).body.data, {
      status: 'completed',
      stdout: '1\n'
    })
    for (const lost of [ends, hangs]) {
      t.match((await ada.get(lost())).body.data, { state: 'asleep', reason: 'computer_lost' })
      t.match((await ada.post(lost('/exec'), { command: 'cat note; pgrep sleep' })).body.data, {
        stdout: 'kept\n'
      })
    }
  }
)
