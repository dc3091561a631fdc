// tier: whole
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import { database } from './database.ts'
import { folderFor } from './embedded.ts'
import { databaseUrl, serve } from './http/process.ts'
import { AWAY, isRoot, NOBODY, refusal, refusals, refused } from './refusals.ts'

t.test('a port or a host that is not to be had', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const taken = String((other.address() as AddressInfo).port)
  const { connection } = await database(t)
  const DATABASE_URL = databaseUrl(connection)
  const { url } = await serve(t, { DATABASE_URL })
  const ours = new URL(url).port
  await refusals(t, [
    [
      { DATABASE_URL: AWAY, PORT: taken },
      /PORT \d+ is taken on 127\.0\.0\.1 by another program: end that one, or/
    ],
    [
      { DATABASE_URL, PORT: ours },
      /PORT \d+ is taken.*this platform runs already on the same data, as process \d+\./
    ],
    [{ DATABASE_URL: AWAY, PORT: ours }, /PORT \d+ is taken on 127\.0\.0\.1 by another program/],
    [
      { DATABASE_URL: AWAY, HOST: '203.0.113.1' },
      /HOST 203\.0\.113\.1 is no address of this machine: set HOST/
    ],
    [
      { DATABASE_URL: AWAY, HOST: 'nowhere.invalid' },
      /HOST nowhere\.invalid is a name that is not known here/
    ]
  ])
})

t.test('a port that is for others', async (t) => {
  const first = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024')
  if (Number(first) <= 81)
    return t.pass('no port is kept', { skip: 'this machine keeps no port for anybody' })
  const DATA_DIR = folderFor(t, 0o777)
  const env = { DATA_DIR, DATABASE_URL: AWAY, PORT: '81' }
  const said = await refusal(t, env, isRoot ? { uid: NOBODY } : {})
  t.match(said, /PORT 81 may not be used by the user of this process: set PORT to one from 1024 on/)
})

t.test(
  'one fault is one line, also of a variable that a pack names; several are told in one message',
  async (t) => {
    const compute = { COMPUTE_URL: 'ftp://x' }
    await refusals(t, [
      [
        { DEPLOYMENT: 'nowhere' },
        /^The platform cannot start: DEPLOYMENT nowhere: config\/nowhere\.json: ENOENT/
      ],
      [compute, /^The platform cannot start: COMPUTE_URL /],
      [{ ...compute, DATABASE_URL: AWAY }, /^The platform cannot start: COMPUTE_URL /]
    ])
    t.equal(await refusal(t, { PORT: 'many' }), 'The platform cannot start: PORT must be integer')
    t.match(
      await refused(t, { ...compute, PORT: 'many', LOG_LEVEL: 'loud' }),
      /^The platform cannot start:\n {2}- PORT .*\n {2}- LOG_LEVEL .*\n {2}- COMPUTE_URL .*\n$/
    )
  }
)

t.test('a Node that is too old is told', async (t) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } })`
  const options = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
  t.match(await refusal(t, { DATABASE_URL: AWAY }, { options }), /it needs Node 24 or newer/)
})
