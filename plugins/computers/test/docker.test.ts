// budget: 12 s, because each computer is a container that really starts, sleeps and loses its daemon
// tier: whole
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsLessServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { dockerDaemon, IMAGE, noDocker } from '../../../test/docker.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = await noDocker()
const daemon = skip ? undefined : await dockerDaemon(t)
const OTHER = 'localhost/other:latest'
const host = daemon?.host ?? 'unix:///nowhere/docker.sock'
const { as, platform } = await boot(t, 'computers', {
  env: {
    DOCKER_HOST: host,
    COMPUTERS_DOCKER_IMAGE: IMAGE,
    COMPUTERS_DOCKER_IMAGES: `${OTHER}, localhost/absent:1`,
    OUTGOING_ALLOW: '127.0.0.1'
  }
})
const ada = as('ada')
const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/computer${rest}`
const small = { enabled: true, provider: 'docker', memoryMb: 256, storageMb: 64 }

async function computer(fields = {}) {
  const { id } = await ada.agent()
  const { status, text } = await ada.put(of(id, '/config'), { ...small, ...fields })
  if (status !== 200) throw new Error(text)
  const exec = async (command: string) => (await ada.post(of(id, '/exec'), { command })).body.data
  return { id, exec, state: async () => (await ada.get(of(id))).body.data }
}

const reconcile = async () => {
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === 'computers.reconcile')
  await worker?.value.work({}, new AbortController().signal)
}
const newest = () => daemon?.podman('ps', '--last', '1', '--format', '{{.Image}}')

t.test('what is asked for is checked: images are those that the operator names', async (t) => {
  const { id } = await ada.agent()
  const wrong: [object, string, RegExp][] = [
    [
      { provider: 'docker', image: 'postgres' },
      '/image',
      /one of localhost\/computer:latest, localhost\/other/
    ],
    [{ provider: 'bubblewrap', image: IMAGE }, '/image', /must be null.*docker/],
    [{ provider: 'docker', image: '' }, '/image', /./],
    [{ provider: 'docker', gpu: 1 }, '/gpu', /no GPU/]
  ]
  for (const [body, param, message] of wrong)
    t.match(
      await ada.put(of(id, '/config'), { enabled: true, ...body }),
      { status: 400, body: { error: { param, message } } },
      JSON.stringify(body)
    )
  const { body } = await ada.put(of(id, '/config'), { ...small, image: OTHER })
  t.match(body.data, { provider: 'docker', image: OTHER })
  t.match((await ada.get(of(id))).body.data, {
    image: OTHER,
    capabilities: { isolation: 'container', network: true, gpu: false, snapshot: false }
  })
})

t.test('it wakes, runs commands, and its home outlives its container', { skip }, async (t) => {
  const { id, exec, state } = await computer()
  t.match(await exec('echo "$1" | tr a-z A-Z; cat /etc/image; echo oh >&2; exit 3'), {
    status: 'failed',
    stdout: '\nof a test\n',
    stderr: 'oh\n',
    exitCode: 3
  })
  const [first] = (await daemon?.containers()) ?? []
  t.ok(first)
  const content = 'ä'.repeat(500_000)
  await ada.post(of(id, '/files/write'), { files: [{ path: 'deep/large', content, mode: 0o600 }] })
  t.equal((await exec('wc -c <deep/large')).stdout.trim(), '1000000')
  t.match(await exec('head -c 3000000 /dev/zero | tr "\\0" x'), { stdoutBytes: 3_000_000, exitCode: 0 })
  t.ok((await state()).memoryBytes > 1_000_000)
  const terminal = await exec("script -q -e -c 'stty rows 7 cols 70; stty size; tty' /dev/null")
  t.match(terminal, { stdout: /^7 70\r\n\/dev\/pts\/\d+\r\n$/ }, 'terminals can be made')

  t.match(await ada.post(of(id, '/sleep')), { status: 200, body: { data: { state: 'asleep' } } })
  t.same(await daemon?.containers(), [], 'nothing is left of it but its files')
  t.match(await exec('stat -c "%a %s" deep/large'), { stdout: '600 1000000\n' })
  t.match(await state(), { state: 'awake', desired: 'awake' })
  t.not((await daemon?.containers())?.[0], first)
  t.match(await ada.post(of(id, '/restart')), { status: 200, body: { data: { state: 'awake' } } })
  t.equal((await daemon?.containers())?.length, 1)
  await ada.put(of(id, '/config'), { enabled: false })
  t.same(await daemon?.containers(), [])
})

t.test(
  'a command is cancelled with all that it started, and a long output waits for its reader',
  { skip },
  async (t) => {
    const { id, exec } = await computer()
    const { data } = (await ada.post(of(id, '/commands'), { command: 'sleep 300 & sleep 300' })).body
    const command = of(id, `/commands/${data.id}`)
    await until(
      async () => (await ada.get(command)).body.data.status,
      (status) => status === 'running'
    )
    await ada.post(`${command}/cancel`)
    await until(
      async () => (await ada.get(command)).body.data.status,
      (status) => status === 'cancelled'
    )
    t.match(await exec('pgrep sleep'), { stdout: '' })
    await exec('head -c 20000000 /dev/zero | tr "\\0" y >large')
    const read = await ada.get(of(id, '/files/read?path=large&length=4000000&offset=16000000'))
    t.equal(read.body.data.content, 'y'.repeat(read.body.data.content.length))
    t.ok(read.body.data.content.length > 100_000)
  }
)

t.test('it reaches what its agent may by the proxy, and nothing else', { skip }, async (t) => {
  const server = createServer((_, reply) => void reply.end('reached')).listen(0, '127.0.0.1')
  const plain = createTlsLessServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  t.teardown(() => plain.close())
  await Promise.all([once(server, 'listening'), once(plain, 'listening')])
  const { port } = server.address() as { port: number }
  const { port: other } = plain.address() as { port: number }
  const { id, exec } = await computer({ allowedHosts: [`127.0.0.1:${port}`] })
  const proxied = (target: string) =>
    exec(
      `node -e "require('http').get({agent:false,host:'127.0.0.1',port:3128,path:'${target}'},(r)=>r.on('data',(d)=>process.stdout.write(String(d))).on('end',()=>console.log(r.statusCode)))"`
    )
  t.match(await proxied(`http://127.0.0.1:${port}/`), { stdout: 'reached200\n' })
  for (const target of [`http://127.0.0.1:${other}/`, 'http://evil.example/', 'http://169.254.169.254/'])
    t.match(await proxied(target), { stdout: '403\n' }, target)
  const direct = (to: string) =>
    exec(
      `node -e "require('net').connect(${to}).on('connect',()=>console.log('connected')).on('error',(e)=>console.log(e.code))"`
    )
  for (const to of [String(port), String(other), "53,'169.254.169.254'", "80,'10.0.0.1'"])
    t.match(await direct(to), { stdout: /^(ECONNREFUSED|ENETUNREACH)\n$/ }, to)
  t.equal((await exec('ls /sys/class/net')).stdout, 'lo\n')
  await ada.put(of(id, '/config'), { allowedHosts: [] })
  t.match(await proxied(`http://127.0.0.1:${port}/`), { stdout: '403\n' }, 'a change holds at once')
})

t.test('another image, and another provider, keep the same files', { skip }, async (t) => {
  await daemon?.podman('tag', IMAGE, OTHER)
  const { id, exec } = await computer({ image: OTHER })
  await exec('echo kept >note')
  t.equal(await newest(), OTHER)
  await ada.put(of(id, '/config'), { image: null })
  await ada.post(of(id, '/restart'))
  t.match(await exec('cat note'), { stdout: 'kept\n' })
  t.equal(await newest(), IMAGE)

  await ada.put(of(id, '/config'), { image: 'localhost/absent:1' })
  t.match(await ada.post(of(id, '/restart')), {
    status: 503,
    body: { error: { message: /localhost\/absent:1 is not there: docker pull localhost\/absent:1/ } }
  })
  t.match((await ada.get(of(id))).body.data, { state: 'failed', reason: /docker pull/ })
  await ada.put(of(id, '/config'), { image: null })
  t.match(await exec('cat note'), { stdout: 'kept\n' }, 'and it recovers')
  await ada.put(of(id, '/config'), { enabled: false })
})

t.test('a daemon that ends or hangs costs what ran in it, and is found again', { skip }, async (t) => {
  const { id, exec, state } = await computer()
  await exec('echo kept >note')
  const cut = exec('sleep 300')
  await until(
    async () => (await ada.get(of(id, '/commands?status=running'))).body.data,
    ({ length }) => length === 1
  )
  await daemon?.stop()
  t.match(await cut, { status: 'failed', reason: 'computer_lost' })
  await until(state, (it) => it.state === 'asleep')
  t.match(await state(), { state: 'asleep', reason: 'computer_lost' })
  const lacking = {
    status: 503,
    body: { error: { code: 'capability_missing', message: /does not answer.*DOCKER_HOST/s } }
  }
  t.match(await ada.post(of(id, '/wake')), lacking)
  await daemon?.start()
  t.match(await exec('cat note; pgrep sleep'), { stdout: 'kept\n' }, 'what was left of it has ended')
  await reconcile()
  t.equal((await daemon?.containers())?.length, 1, 'nor is there anything of the others')

  await ada.post(of(id, '/sleep'))
  daemon?.signal('SIGSTOP')
  t.match(await ada.post(of(id, '/wake')), lacking, 'it does not answer in time')
  daemon?.signal('SIGCONT')
  t.match(await exec('cat note'), { stdout: 'kept\n' })
})

t.test('where there is none, it is said what to do', async (t) => {
  const told = async (env: Record<string, string>) => {
    const away = await boot(t, 'computers', { env })
    const { id } = await away.as('ada').agent()
    await away.as('ada').put(of(id, '/config'), small)
    const { status, body } = await away.as('ada').post(of(id, '/exec'), { command: 'true' })
    return { status, ...body.error }
  }
  t.match(await told({ DOCKER_HOST: `unix://${join(tmpdir(), 'no-docker.sock')}` }), {
    status: 503,
    code: 'capability_missing',
    message: /does not answer \(ENOENT\).*install Docker, or Podman/
  })
  const remote = await told({ DOCKER_HOST: 'tcp://admin:hush@192.0.2.1:2376' })
  t.match(remote, { status: 503, message: /may be elsewhere \(tcp:\/\/.*DOCKER_HOST to its socket/ })
  t.notMatch(JSON.stringify(remote), /hush/)
  if (daemon)
    t.match(await told({ DOCKER_HOST: daemon.host, COMPUTERS_DOCKER_IMAGE: 'localhost/absent:2' }), {
      status: 503,
      code: 'capability_missing',
      message: /docker pull localhost\/absent:2/
    })
})
