// budget: 8 s, because computers are processes that really start, sleep and are killed
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = await noComputers()
const booted = await boot(t, 'computers', 'providers')
const { as, settled, platform, url, dataDir } = booted
const ada = as('ada')
const eve = as('eve')
const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/computer${rest}`
const small = { enabled: true, memoryMb: 256, storageMb: 32 }

t.test('a computer is off until it is enabled, and nobody else’s', async (t) => {
  const { id } = await ada.agent()
  t.match((await ada.get(of(id))).body.data, { id: null, state: 'off', desired: 'off', agentId: id })
  t.match((await ada.get(of(id, '/config'))).body.data, { enabled: false, version: 0, allowedHosts: [] })
  for (const path of ['/wake', '/sleep', '/restart'])
    t.match(await ada.post(of(id, path)), { status: 409, body: { error: { code: 'computer_off' } } })
  t.match(await ada.post(of(id, '/exec'), { command: 'true' }), { status: 409 })
  t.match(await ada.get(of(id, '/files/read')), { status: 409 })

  const rows: [string, string, object?][] = [
    ['GET', ''],
    ['GET', '/config'],
    ['GET', '/events'],
    ['GET', '/commands'],
    ['GET', '/files/read'],
    ['PUT', '/config', { enabled: true }],
    ['POST', '/wake'],
    ['POST', '/sleep'],
    ['POST', '/restart'],
    ['POST', '/resize', { vcpu: 1 }],
    ['POST', '/exec', { command: 'true' }],
    ['POST', '/commands', { command: 'true' }],
    ['POST', '/files/write', { files: [{ path: 'a', content: 'b' }] }]
  ]
  for (const [method, path, body] of rows) {
    const options = body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}
    t.equal((await eve.request(method, of(id, path), options)).status, 403, `${method} ${path}`)
    t.equal((await eve.request(method, of('agent_nope', path), options)).status, 404, `${method} ${path}`)
  }
})

t.test('providers of computers are told, and whether each works here', async (t) => {
  const { data } = (await ada.get('/v1/providers?limit=100')).body
  const found = data.find((it: { capability: string }) => it.capability === 'computers')
  t.match(found, { provider: 'bubblewrap', source: 'default', configured: !skip, configurable: false })
  const [bubblewrap, docker] = found.options
  t.match(bubblewrap, { provider: 'bubblewrap', configured: !skip, models: [], takes: [] })
  t.match(docker, { provider: 'docker', configured: Boolean, models: ['node:24'] })
})

t.test('what is asked for is checked', async (t) => {
  const { id } = await ada.agent()
  const wrong: [string, object, string][] = [
    ['/config', { vcpu: 0 }, '/vcpu'],
    ['/config', { vcpu: 200 }, '/vcpu'],
    ['/config', { memoryMb: 1_000_000 }, '/memoryMb'],
    ['/config', { gpu: 1 }, '/gpu'],
    ['/config', { provider: 'cray' }, '/provider'],
    ['/config', { allowedHosts: ['https://example.com'] }, '/allowedHosts/0'],
    ['/config', { colour: 'red' }, '/colour']
  ]
  for (const [path, body, param] of wrong)
    t.match(
      await ada.put(of(id, path), body),
      { status: 400, body: { error: { param } } },
      JSON.stringify(body)
    )
  t.equal((await ada.put(of(id, '/config'), { idleSeconds: 60 })).headers.get('etag'), '"1"')
  const stale = await ada.request('PUT', of(id, '/config'), {
    body: '{"idleSeconds":90}',
    headers: { 'content-type': 'application/json', 'if-match': '"7"' }
  })
  t.equal(stale.status, 412)
  t.equal((await ada.put(of(id, '/config'), { idleSeconds: 60 })).body.data.version, 1, 'nothing was changed')
})

t.test('commands run in it, apart from their errors, and what they leave stays', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), small)
  const exec = async (body: object) => (await ada.post(of(id, '/exec'), body)).body.data
  t.match(await exec({ command: 'echo out; echo err >&2; echo kept > note; exit 3' }), {
    status: 'failed',
    exitCode: 3,
    stdout: 'out\n',
    stderr: 'err\n',
    reason: null
  })
  t.match((await ada.get(of(id))).body.data, { state: 'awake', desired: 'awake', memoryBytes: Number })
  t.match(await exec({ argv: ['cat', '$HOME', 'note'] }), {
    status: 'failed',
    stdout: 'kept\n',
    stderr: /\$HOME/
  })
  t.match(
    await exec({ command: 'echo $WORD; cat; pwd', env: { WORD: 'hi' }, stdin: 'there\n', cwd: '/tmp' }),
    {
      status: 'completed',
      stdout: 'hi\nthere\n/tmp\n'
    }
  )
  t.match(await exec({ command: 'sleep 60 & sleep 60', timeLimit: 1 }), {
    reason: 'time_exceeded',
    signal: 'SIGKILL'
  })
  t.match(await exec({ command: 'cd /nowhere', cwd: '/nowhere' }), {
    reason: 'not_started',
    status: 'failed'
  })
  t.match(await ada.post(of(id, '/exec'), { command: 'a', argv: ['a'] }), { status: 400 })
  t.match(await ada.post(of(id, '/exec'), { command: 'a', timeLimit: 80_000 }), { status: 400 })

  const much = await exec({ command: 'head -c 300000 /dev/zero | tr "\\0" x; printf "\\303\\244\\0"' })
  t.equal(much.stdout.length, 131_072)
  t.equal(much.stdoutBytes, 300_003)
  const rest = await ada.get(of(id, `/files/read?path=${much.stdoutFile}&offset=168926`))
  t.match(rest.body.data, { encoding: 'utf8', content: 'xxä\0', size: 168_931, nextOffset: null })

  await ada.post(of(id, '/sleep'))
  t.match((await ada.get(of(id))).body.data, { state: 'asleep', storageBytes: Number })
  t.match(await exec({ command: 'cat note' }), { stdout: 'kept\n' }, 'woken by the command, and all is there')
  const list = (await ada.get(of(id, '/commands?limit=2'))).body
  t.match(list, { data: [{ stdout: 'kept\n' }, {}], nextCursor: String })
  t.match(await eve.get(of(id, `/commands/${list.data[0].id}`)), { status: 403 })
  t.match(await ada.get(of(id, '/commands/command_nope')), { status: 404 })
  const other = await ada.agent()
  t.match(
    await ada.get(of(other.id, `/commands/${list.data[0].id}`)),
    { status: 403 },
    'it is of another agent'
  )
})

t.test('files are written whole, read in parts, and never outside of the home', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), small)
  const write = (...files: object[]) => ada.post(of(id, '/files/write'), { files })
  const read = async (query: string) => ada.get(of(id, `/files/read?${query}`))
  const written = await write(
    { path: 'a/b/c.txt', content: 'Grüße' },
    { path: '/home/agent/run.sh', content: 'ZWNobyBvawo=', encoding: 'base64', mode: 0o755 }
  )
  t.match(written.body.data.files, [
    { path: 'a/b/c.txt', size: 7, mode: 0o644 },
    { path: 'run.sh', mode: 0o755 }
  ])
  t.match((await ada.post(of(id, '/exec'), { argv: ['./run.sh'] })).body.data, { exitCode: Number })
  t.match((await read('path=a/b/c.txt&length=3')).body.data, {
    content: 'Gr',
    nextOffset: 2,
    size: 7,
    type: 'file'
  })
  t.match((await read('path=a/b/c.txt&offset=2&encoding=base64')).body.data.content, 'w7zDn2U=')
  t.match((await read('')).body.data, {
    type: 'folder',
    entries: [{ name: 'a' }, { name: 'run.sh' }],
    size: 2
  })
  t.match(await read('path=nothing'), { status: 404 })

  const many = 'mkdir many; cd many; for n in $(seq 900); do : > "$(printf "%03d%0250d" $n 0)"; done'
  t.match((await ada.post(of(id, '/exec'), { command: many })).body.data, { exitCode: 0 })
  const names: string[] = []
  for (let offset: number | null = 0, pages = 0; offset !== null; pages++) {
    const { body } = await read(`path=many&offset=${offset}`)
    names.push(...body.data.entries.map(({ name }: { name: string }) => name))
    offset = body.data.nextOffset
    if (offset === null) t.ok(pages > 0, 'names that are too long for one answer come in several')
  }
  t.equal(new Set(names).size, 900)
  await ada.post(of(id, '/exec'), { command: 'rm -r many' })

  const link =
    'ln -s /etc/passwd out; ln -s / root; ln -s ../../.. up; mkfifo pipe; ln -s /etc new; ln -s loop loop'
  await ada.post(of(id, '/exec'), { command: link })
  for (const path of [
    '../../etc/passwd',
    '/etc/passwd',
    'out',
    'root/etc/passwd',
    'up/etc/passwd',
    'pipe',
    'loop',
    '/proc/self/environ'
  ])
    t.match(await read(`path=${encodeURIComponent(path)}`), { status: 400 }, path)
  for (const path of ['../x', '/tmp/x', 'root/tmp/x', 'new/x', 'up/tmp/x', 'a', '.', 'a/b/c.txt/d'])
    t.match(await write({ path, content: 'x' }), { status: 400 }, path)
  t.match(
    await write({ path: 'out', content: 'mine' }),
    { status: 200 },
    'a link is replaced, and not followed'
  )
  t.match((await read('path=out')).body.data, { content: 'mine' })
  t.match(await write({ path: 'x', content: '?', encoding: 'base64' }), { status: 400 })
})

t.test('it sleeps, wakes, restarts and is resized, and tells of it', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), { ...small, idleSeconds: 5 })
  t.match((await ada.post(of(id, '/wake'))).body.data, { state: 'awake', wokeAt: String })
  await ada.post(of(id, '/exec'), { command: 'setsid sleep 300 >/dev/null 2>&1 & echo a > /tmp/a' })
  t.match((await ada.post(of(id, '/exec'), { command: 'pgrep sleep; ls /tmp' })).body.data.stdout, /\d\na\n/)
  t.match((await ada.post(of(id, '/restart'))).body.data, { state: 'awake' })
  t.equal((await ada.post(of(id, '/exec'), { command: 'pgrep sleep; ls /tmp' })).body.data.stdout, '')
  t.match((await ada.post(of(id, '/resize'), { memoryMb: 300 })).body.data, { memoryMb: 300, state: 'awake' })
  const refused = await ada.post(of(id, '/resize'), { gpu: 2 })
  t.match(refused, { status: 400, body: { error: { param: '/gpu', code: 'size_not_offered' } } })
  t.match(await ada.post(of(id, '/resize'), {}), { status: 400 })
  t.match((await ada.put(of(id, '/config'), { enabled: false })).body.data, { enabled: false })
  t.match((await ada.get(of(id))).body.data, { state: 'off' })

  const types = (await ada.get(of(id, '/events?limit=50'))).body.data.map(
    ({ type }: { type: string }) => type
  )
  const cycle = ['waking', 'awake', 'sleeping', 'asleep']
  t.same(types.reverse(), [
    'configured',
    ...cycle,
    'waking',
    'awake',
    'resized',
    'sleeping',
    'asleep',
    'waking',
    'awake',
    'configured',
    'sleeping',
    'off'
  ])
  const headers = { authorization: `Bearer ${await ada.key()}`, accept: 'text/event-stream' }
  const stream = await fetch(url + of(id, '/events?after=12'), { headers })
  const text = new TextDecoder().decode((await stream.body?.getReader().read())?.value)
  t.match(text, /"type":"sleeping".*"type":"off"/s, 'the same as a stream')
})

t.test('what a command writes is followed as it comes', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), small)
  const headers = {
    authorization: `Bearer ${await ada.key()}`,
    accept: 'text/event-stream',
    'content-type': 'application/json'
  }
  const body = JSON.stringify({ command: 'echo one; echo two >&2; read x; echo three', stdin: 'go\n' })
  const reply = await fetch(url + of(id, '/exec'), { method: 'POST', headers, body })
  const text = await reply.text()
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  t.equal(events[0].type, 'started')
  t.match(events.at(-1), {
    type: 'ended',
    command: { status: 'completed', stdout: 'one\nthree\n', stderr: 'two\n' }
  })
  const said = (type: string) =>
    events
      .filter((it) => it.type === type)
      .map(({ content }) => content)
      .join('')
  t.equal(said('stdout'), 'one\nthree\n')
  t.equal(said('stderr'), 'two\n')
  const again = await fetch(url + of(id, `/commands/${events[0].commandId}`), { headers: { ...headers } })
  t.equal((await again.text()).match(/^data: /gm)?.length, events.length, 'and again from the record')
})

t.test('queued commands run in their order, and are cancelled', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), small)
  const queue = async (command: string, more = {}) =>
    (await ada.post(of(id, '/commands'), { command, ...more })).body.data
  const first = await queue('echo $SECRET >> log; sleep 0.2; echo 1 >> log', { env: { SECRET: 'hush' } })
  t.match(first, { status: 'queued', source: 'queue' })
  t.notMatch(JSON.stringify(first), /hush/)
  const long = await queue('echo 2 >> log; sleep 300', { timeLimit: 600 })
  const last = await queue('echo 3 >> log')
  const until = async (command: { id: string }, status: RegExp) => {
    for (;;) {
      const { data } = (await ada.get(of(id, `/commands/${command.id}`))).body
      if (status.test(data.status)) return data
      await new Promise((then) => setTimeout(then, 50))
    }
  }
  await until(long, /running/)
  t.match(await ada.post(of(id, `/commands/${long.id}/cancel`)), { status: 200 })
  t.match(await until(long, /cancelled/), { signal: 'SIGTERM' })
  await until(last, /completed/)
  t.equal((await ada.get(of(id, '/files/read?path=log'))).body.data.content, 'hush\n1\n2\n3\n')
  t.match(await ada.post(of(id, `/commands/${last.id}/cancel`)), { status: 409 })
  t.match(await platform.knex('computers.command').whereNotNull('sealed'), [], 'no secret is kept')
})

t.test('what it may reach is what its agent may', { skip }, async (t) => {
  const { createServer } = await import('node:http')
  const server = createServer((_, reply) => void reply.end('reached')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), { ...small, allowedHosts: ['example.com', `127.0.0.1:${port}`] })
  const curl = async (target: string) =>
    (
      await ada.post(of(id, '/exec'), {
        command: `curl -sS -m 5 -o /dev/null -w '%{http_code}' ${target} 2>&1`
      })
    ).body.data.stdout
  const targets = [
    `http://127.0.0.1:${port}/`,
    'http://evil.example/',
    'https://evil.example/',
    'http://example.com:25/'
  ]
  for (const target of targets) t.match(await curl(`--noproxy '' ${target}`), /403/, target)
  t.match(
    await curl(`--noproxy '*' http://127.0.0.1:${port}/`),
    /000|refused|connect/i,
    'not around the proxy either'
  )
  const refused = async (): Promise<string[]> =>
    (await ada.get(of(id, '/events?type=egress_refused&limit=100'))).body.data.map(
      ({ reason }: { reason: string }) => reason
    )
  t.same(await refused(), ['example.com:25', 'evil.example'], 'each host once a minute')
  await ada.post(of(id, '/exec'), {
    command: `for n in $(seq 60); do echo "http://evil$n.example/"; done | xargs -P 8 -n 20 curl -s -m 20 --noproxy '' -o /dev/null`
  })
  const all = await until(refused, ({ length }) => length >= 21)
  t.ok(all.includes('and others'), 'and not more than so many of them')
  t.equal(new Set(all).size, 21)
})

t.test('it goes with its agent', { skip }, async (t) => {
  const { id } = await ada.agent()
  await ada.put(of(id, '/config'), small)
  await ada.post(of(id, '/exec'), { command: 'echo x > x' })
  const { number } = await platform.knex('computers.computer').where({ agentId: id }).first('number')
  const folder = join(dataDir, 'computers', String(number))
  t.ok(existsSync(folder))
  await ada.delete(`/v1/agents/${id}`)
  await settled()
  while (existsSync(folder)) await new Promise((then) => setTimeout(then, 50))
  t.same(await platform.knex('computers.command').where({ agentId: id }), [])
})
