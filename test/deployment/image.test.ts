// tier: whole
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { startEmbedded } from '../../kernel/database/embedded/server.ts'
import { root } from '../../kernel/deployment.ts'
import { createClient } from '../client.ts'
import { database } from '../database.ts'
import { folderFor, query, quiet } from '../embedded.ts'
import { databaseUrl } from '../http/process.ts'
import type { Compose } from './compose.ts'
import { environmentOf, readCompose } from './compose.ts'
import { runOnce, serve } from './container.ts'
import { account, buildImage, volume } from './image.ts'

const secretKey = Buffer.alloc(32, 7).toString('base64')

/** What compose starts: two instances, of a new image, on one database. */
t.test('the image, twice', async (t) => {
  const image = await buildImage(t)
  const { connection } = await database(t)
  const { TEST_REDIS_URL: redis, TAP_JOB_ID: job = 0 } = process.env
  const { services }: Compose = readCompose()
  const given = { DATABASE_PASSWORD: 'unused', PLATFORM_SECRET_KEY: secretKey, MODEL_PROVIDER: 'local' }
  const environment = async (name: string) => ({
    ...image.env,
    ...environmentOf(services[name] ?? {}, given),
    // Where they are on this machine, and a port for each.
    DATABASE_URL: databaseUrl(connection),
    REDIS_URL: redis ? `${redis}/${1 + (Number(job) % 15)}` : '',
    DATA_DIR: await volume(t),
    PORT: '0'
  })
  const begin = async (name: string) => {
    const env = await environment(name)
    return { env, it: await serve(t, { command: image.cmd, cwd: image.workdir, env }) }
  }
  const isHealthy = ({ env, it }: Awaited<ReturnType<typeof begin>>) =>
    runOnce({ command: image.healthcheck, cwd: image.workdir, env: { ...env, PORT: it.port } })

  const env = await environment('platform-1')
  const refused = await runOnce({
    command: image.cmd,
    cwd: image.workdir,
    env: { ...env, PLATFORM_SECRET_KEY: '' }
  })
  t.match(refused, { status: 1, stderr: /PLATFORM_SECRET_KEY is required in production/ })

  const both = await Promise.all([begin('platform-1'), begin('platform-2')])
  const [one, two] = both
  await Promise.all(both.map(({ it }) => it.ready))
  for (const each of both) t.equal((await isHealthy(each)).status, 0, 'healthy')
  const health = await createClient(one.it.url, 'anyone').get('/health')
  t.same(health.body.data.packs.failed, [], 'every pack has what it imports')
  t.match(await createClient(one.it.url, 'anyone').get('/docs'), { status: 404 }, 'production')

  const page = await createClient(one.it.url, 'anyone').get('/console')
  t.equal(page.status, 200, 'the console is built')
  const [script = ''] = /assets\/[\w-]+\.js/.exec(page.text) ?? []
  t.match(await createClient(one.it.url, 'anyone').get(`/console/${script}`), {
    status: 200,
    headers: new Map([['content-encoding', 'gzip']])
  })

  const command = 'npm run -s platform -- keys create --name laptop --type user --admin'.split(' ')
  const made = await runOnce({ command, cwd: image.workdir, env: one.env })
  t.equal(made.status, 0, made.stderr)
  const [here, there] = both.map(({ it }) => createClient(it.url, 'ada', made.stdout.trim()))
  if (!here || !there) throw new Error('Nobody to ask')
  const agent = await here.agent({ instructions: 'Ada lives in London.' })
  const messages = [{ role: 'user', content: 'Where does Ada live?' }]
  const run = await here.post('/v1/agents/run', { agentId: agent.id, messages })
  t.match(run, { status: 200, body: { data: { status: 'completed' } } })
  const read = await there.get(`/v1/agents/runs/${run.body.data.id}`)
  t.match(read, { status: 200, body: { data: { status: 'completed' } } }, 'begun at one, read at the other')

  const { body: space } = await here.post('/v1/spaces', { name: 'Harbour' })
  const picture = await there.get(`/v1/spaces-stream/${space.data.id}/composite.png`)
  t.match(picture, { status: 200, text: 'PNG' }, 'pictures are drawn')

  t.same(await one.it.stop(), [0, null])
  t.not((await isHealthy(one)).status, 0, 'no longer healthy')
  t.equal((await isHealthy(two)).status, 0, 'the other one is')
  t.same(await two.it.stop(), [0, null])
  if (!redis) t.comment('without Redis: TEST_REDIS_URL names none')
  if (!account) t.comment('as the user of this process: only root may choose another one')
})

const noClient = spawnSync('psql', ['--version']).status !== 0 && 'needs psql'
t.test('the role of the platform in PostgreSQL', { skip: noClient }, async (t) => {
  const embedded = await startEmbedded({ dataDir: join(folderFor(t), 'data'), log: quiet })
  t.teardown(() => embedded.leave())
  const admin = { connection: { ...embedded.connection, user: 'postgres', database: 'postgres' } }
  await query(admin, 'drop database platform')
  await query(admin, 'drop role platform')
  const script = join(root, 'deploy/postgres/platform.sql')
  const args = ['-v', 'ON_ERROR_STOP=1', '-h', embedded.where, '-U', 'postgres', '-f', script]
  const env = { PATH: process.env.PATH, DATABASE_PASSWORD: `it's \\ a "secret"` }
  const { status, stdout, stderr } = spawnSync('psql', args, { env, encoding: 'utf8' })
  t.equal(status, 0, stderr)
  t.notMatch(stdout + stderr, /secret/)
  const privileges = `select rolsuper, rolcreaterole, rolcreatedb, rolcanlogin, rolpassword like 'SCRAM%' as sealed
    from pg_authid where rolname = 'platform'`
  const least = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: true, sealed: true }
  t.same(await query(admin, privileges), [least])
  await query(embedded, 'create schema mine')
  await t.rejects(query(embedded, `copy (select 1) to program 'true'`), { code: '42501' })
})
