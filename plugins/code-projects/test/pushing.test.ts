import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { boot } from '../../../test/boot.ts'

const run = promisify(execFile)
const SECRET = 'a-secret-of-the-owner'
const folder = await mkdtemp(join(tmpdir(), 'agent-platform-git-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const git = async (...args: string[]) => (await run('git', args, { cwd: folder })).stdout.trim()
await git('init', '--quiet', '--bare', '--initial-branch=main', 'shop.git')
await git('-C', 'shop.git', 'config', 'http.receivepack', 'true')
await git('-C', 'shop.git', 'config', 'receive.fsckObjects', 'true')

/** Git's own server behind HTTP, for those who know the secret. */
const asked: string[] = []
const server = createServer((request, reply) => {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
  asked.push(`${request.method} ${pathname}`)
  const [user, password] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':')
  if (user !== 'x-access-token' || password !== SECRET) return void reply.writeHead(401).end()
  if (pathname.startsWith('/moved'))
    return void reply.writeHead(302, { location: '/shop.git/info/refs' }).end()
  if (pathname.startsWith('/odd')) return void reply.end('hello')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: user,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*'
    }
  })
  request.pipe(backend.stdin)
  const parts: Buffer[] = []
  backend.stdout.on('data', (part) => parts.push(part))
  backend.on('close', () => {
    const whole = Buffer.concat(parts)
    const end = whole.indexOf('\r\n\r\n')
    const headers = whole
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
    reply.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name !== 'Status'))
    )
    reply.end(whole.subarray(end + 4))
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => server.close())
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

const lines: string[] = []
const { as } = await boot(t, 'code-projects', 'tools', {
  env: { OUTGOING_ALLOW: host, CODE_PROJECTS_GIT_HOSTS: `github.com,http://${host}` },
  log: (line) => lines.push(JSON.stringify(line))
})
const ada = as('ada')
const { id: agentId } = await ada.agent({ name: 'Bob <the> builder' })
const path = `/v1/agents/${agentId}/projects`
const { id } = (await ada.post(path, { name: 'Shop' })).body.data
const newKey = async (value: string, client = ada, hosts = [host]) =>
  (await client.post('/v1/tool-keys', { name: 'Git', value, allowedHosts: hosts })).body.data.id
const keyId = await newKey(SECRET)
const repository = `http://${host}/shop.git`
const push = (body: object, client = ada) => client.post(`${path}/${id}/github`, body)

t.test('a project is pushed, and pushed again upon that', async (t) => {
  const first = await push({ repository, keyId, message: 'First' })
  t.match(first, { status: 200, body: { data: { repository, branch: 'main', parent: null, files: 3 } } })
  t.equal(await git('-C', 'shop.git', 'rev-parse', 'main'), first.body.data.commit)
  await git('-C', 'shop.git', 'fsck', '--strict')

  const script = '#!/bin/sh\necho "ä"\n'
  await ada.put(`${path}/${id}/files`, {
    files: [
      { path: 'bin/build.sh', content: script },
      { path: 'bin.txt', content: 'between' },
      { path: 'bin/deep/er/x.bin', content: '/wAB', encoding: 'base64' }
    ],
    delete: ['style.css']
  })
  const second = await push({ repository: `${repository}/`, keyId })
  t.match(second.body.data, { parent: first.body.data.commit, files: 5 })
  t.equal(
    await git('-C', 'shop.git', 'log', '--format=%an %ae %s', 'main'),
    [
      `Bob  the  builder ${agentId}@127.0.0.1 Shop, version 2`,
      `Bob  the  builder ${agentId}@127.0.0.1 First`
    ].join('\n')
  )
  t.same(
    (await git('-C', 'shop.git', 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).split('\n'),
    [
      '100644 bin.txt',
      '100755 bin/build.sh',
      '100644 bin/deep/er/x.bin',
      '100644 index.html',
      '100644 main.js'
    ]
  )
  await git('-C', 'shop.git', 'fsck', '--strict')
  t.equal((await run('git', ['-C', 'shop.git', 'show', 'main:bin/build.sh'], { cwd: folder })).stdout, script)
  t.match(await push({ repository, keyId, branch: 'feature/tea' }), { body: { data: { parent: null } } })
})

t.test('the host has its say', async (t) => {
  await git('-C', 'shop.git', 'config', 'receive.denyCurrentBranch', 'refuse')
  await run(
    'sh',
    [
      '-c',
      'printf "#!/bin/sh\\nexit 1\\n" > shop.git/hooks/pre-receive; chmod +x shop.git/hooks/pre-receive'
    ],
    { cwd: folder }
  )
  t.match(await push({ repository, keyId }), {
    status: 409,
    body: { error: { code: 'push_refused', message: /pre-receive hook declined/ } }
  })
  await rm(join(folder, 'shop.git/hooks/pre-receive'))
  t.match(await push({ repository: `http://${host}/nope.git`, keyId }), {
    status: 502,
    body: { error: { code: 'repository_unknown' } }
  })
  t.match(await push({ repository: `http://${host}/odd`, keyId }), {
    status: 502,
    body: { error: { code: 'git_malformed' } }
  })
  const before = asked.length
  t.match(await push({ repository: `http://${host}/moved`, keyId }), { status: 502 })
  t.equal(asked.length, before + 1, 'a redirect is not followed with the credential')
  const wrong = await newKey('another-secret')
  t.match(await push({ repository, keyId: wrong }), {
    status: 502,
    body: { error: { code: 'credential_refused' } }
  })
})

t.test('a credential goes nowhere else', async (t) => {
  const refuses = (status: number, param: string, code?: string) => ({
    status,
    body: { error: { param, ...(code && { code }) } }
  })
  for (const elsewhere of ['https://example.com/a', 'http://github.com/a/b', 'http://127.0.0.1:1/a'])
    t.match((await push({ repository: elsewhere, keyId })).body.error.param, '/repository', elsewhere)
  t.match(
    await push({ repository: 'https://github.com/ada/shop', keyId }),
    refuses(403, '/keyId', 'host_not_allowed')
  )
  t.match(
    await push({ repository: `http://ada:secret@${host}/shop.git`, keyId }),
    refuses(400, '/repository')
  )
  t.match(await push({ repository: 'git@github.com:ada/shop', keyId }), refuses(400, '/repository'))
  t.match(await push({ repository }), refuses(400, '/connectionId'))
  t.match(await push({ repository, keyId: 'tkey_nope' }), refuses(404, '/keyId'))
  t.match(
    await push({ repository, keyId: await newKey('of-somebody-else', as('eve')) }),
    refuses(403, '/keyId')
  )
  t.match((await push({ repository, connectionId: 'connection_nope' })).body.error, {
    code: 'connections_off'
  })
  for (const branch of ['a..b', '-x', 'a b', '/a', 'a/', 'x.lock', 'a~1', '@{x', 'a\nb', '.a', 'a/.b'])
    t.match(await push({ repository, keyId, branch }), refuses(400, '/branch'), branch)
  t.notMatch(lines.join('\n'), SECRET, 'nor into the log')
  t.notMatch(lines.join('\n'), Buffer.from(`x-access-token:${SECRET}`).toString('base64'))
})
