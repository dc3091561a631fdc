// budget: 30 s, because five platforms start, each a process of its own
// tier: whole
// servers: PostgreSQL and Redis
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import t from 'tap'
import { createClient as createSdkClient } from '../apps-sdk/client/src/index.ts'
import { root } from '../kernel/deployment.ts'
import { redisUrl } from './boot.ts'
import { commands } from './cli/command.ts'
import { createClient } from './client.ts'
import { preparedDataDir } from './data-dir.ts'
import { database } from './database.ts'
import { folderFor } from './embedded.ts'
import { databaseUrl, serve } from './http/process.ts'
import { migrated } from './migrated.ts'
import { s3Fixture, s3Keys } from './s3.ts'
import { part, upload } from './uploads.ts'

const haproxy = '/usr/sbin/haproxy'
const skip =
  (!existsSync(haproxy) && `${haproxy} is not installed`) ||
  (!process.env.TEST_REDIS_URL && 'TEST_REDIS_URL names no Redis: see docs/testing.md')
const PLATFORM_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const CLIENTS = 8

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** HAProxy as `deploy/haproxy.cfg` has it, with the addresses of this machine. */
async function proxy(t: Parameters<typeof serve>[0], ports: readonly number[]): Promise<string> {
  const port = await freePort()
  const file = join(folderFor(t), 'haproxy.cfg')
  let text = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8').replace(
    'bind :8080',
    `bind 127.0.0.1:${port}`
  )
  for (const [index, one] of ports.entries())
    text = text.replace(`10.0.0.${index + 1}:3000`, `127.0.0.1:${one}`)
  writeFileSync(file, text)
  execFileSync(haproxy, ['-c', '-q', '-f', file])
  const child = spawn(haproxy, ['-q', '-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await isReady()))
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`)
  return url
}

t.test('from one machine to three instances behind a proxy', { skip }, async (t) => {
  const { connection } = await database(t, migrated())
  const s3 = await s3Fixture(t)
  const common = {
    ...{ PLATFORM_SECRET_KEY, DATABASE_URL: databaseUrl(connection), MODEL_PROVIDER: 'local' },
    ...{ NODE_ENV: 'production', LOG_LEVEL: 'info', GATEWAY_LIMIT_PER_MINUTE: '1000000' }
  }
  // One machine: objects lie on its disk. How the embedded database moves is tested in operations.test.ts.
  const DATA_DIR = await preparedDataDir(t)
  const single = await serve(t, { ...common, DATA_DIR, BASE_URL: 'http://localhost' })
  const create = ['keys', 'create', '--name', 'ada', '--type', 'user', '--admin']
  const key = (
    await commands({ ...common, DATA_DIR, BASE_URL: 'http://localhost' }).printed(...create)
  ).trim()
  const before = createClient(single.url, 'ada', key)
  const agent = await before.agent({ modelProvider: 'local' })
  const file = (await upload(before, [part('minutes.md', '# Minutes')])).body.data
  single.kill('SIGTERM')
  t.equal(await single.exited, 0)

  // Its objects move to the bucket, as the document has it.
  for (const path of globSync('objects/??/??/*', { cwd: DATA_DIR })) {
    const sha256 = basename(path)
    const body = readFileSync(join(DATA_DIR, path))
    s3.objects.set(`objects/${sha256.slice(0, 2)}/${sha256}`, { body, modified: new Date() })
  }
  t.equal(s3.objects.size, 1)

  const env = {
    ...{ ...common, ...redisUrl(), BASE_URL: 'http://localhost', TRUST_PROXY: '127.0.0.1' },
    ...{ STORAGE_DRIVER: 's3', S3_BUCKET: 'files', S3_ENDPOINT: s3.endpoint, S3_REGION: 'eu-central-1' },
    ...{ S3_ACCESS_KEY_ID: s3Keys.accessKeyId, S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey },
    S3_FORCE_PATH_STYLE: 'true'
  }
  const ports = [await freePort(), await freePort(), await freePort()]
  const start = async (port: number) =>
    serve(t, { ...env, PORT: String(port), DATA_DIR: await preparedDataDir(t) })
  const instances = await Promise.all(ports.map(start))
  const url = await proxy(t, ports)
  const ada = createClient(url, 'ada', key)
  const platform = createSdkClient({ baseUrl: url, apiKey: key })

  await t.test('what was there is there, at each of them', async (t) => {
    for (const at of [...instances.map((one) => one.url), url]) {
      const there = createClient(at, 'ada', key)
      t.match(await there.get(`/v1/agents/${agent.id}`), { status: 200 })
      t.equal((await there.get(`/v1/files/${file.id}/content`)).text, '# Minutes')
    }
    const made = (await upload(ada, [part('more.md', '# More')])).body.data
    for (const one of instances)
      t.equal((await createClient(one.url, 'ada', key).get(`/v1/files/${made.id}/content`)).text, '# More')
  })

  await t.test('each is replaced, one is killed, and nobody is refused', async (t) => {
    let isOver = false
    const faults: string[] = []
    let asked = 0
    const loop = async () => {
      while (!isOver) {
        const reply = await fetch(`${url}/v1/agents?limit=1`, {
          headers: { authorization: `Bearer ${key}` }
        })
        if (reply.status !== 200) faults.push(`${reply.status}: ${await reply.text()}`)
        else await reply.arrayBuffer()
        asked++
      }
    }
    const words = Array.from({ length: 150 }, (_, n) => `w${n}`)
    const follow = async () => {
      const order = {
        agentId: agent.id,
        messages: [{ role: 'user' as const, content: `/wait 20\n/say ${words.join(' ')}` }]
      }
      const run = await platform.runs.stream(order)
      let said = ''
      for await (const event of run)
        if (event.type === 'token') said += (event as { content?: string }).content ?? ''
      return said
    }
    const looping = Array.from({ length: CLIENTS }, loop)
    const following = Array.from({ length: 6 }, follow)
    for (const [index, port] of ports.slice(0, 2).entries()) {
      const one = instances[index] as (typeof instances)[number]
      one.kill('SIGTERM')
      t.equal(await one.exited, 0)
      instances[index] = await start(port)
      // The proxy looks again each second.
      const since = asked
      while (asked < since + 50) await fetch(`${url}/health`)
    }
    isOver = true
    await Promise.all(looping)
    t.same(faults, [], `${asked} requests`)
    following.push(follow(), follow(), follow())
    instances[2]?.kill('SIGKILL')
    for (const said of await Promise.all(following))
      t.equal(said.trim(), words.join(' '), 'no word is lost, and none twice')
  })
})
