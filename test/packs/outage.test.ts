// tier: whole
// servers: PostgreSQL and Redis
import pg from 'pg'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { createClient } from '../client.ts'
import { database } from '../database.ts'
import { proxy } from '../proxy.ts'
import { listen } from './events.ts'
import { startPlatform } from './processes.ts'
import type { Scope } from './stage.ts'
import { fixtures, stage, until } from './stage.ts'

/** The promise to callers: no request waits longer for a database that is not there. */
// What is waited for elsewhere, such as a connection of the pool, is a minute; a busy machine takes some seconds.
const LIMIT_MS = 10_000
const packs = ['letters', 'tally', 'mirror', 'broadcast']

async function wayTo(t: Scope) {
  const { connection } = await database(t)
  const { host = '', port = 5432 } = connection
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  return { way, direct: connection, connection: { ...connection, host: way.host, port: way.port } }
}

/** A platform whose way to the database can be cut, and one that reaches it directly. */
async function staged(t: Scope) {
  const { way, direct, connection } = await wayTo(t)
  const witness = await stage(t, packs, { beside: { connection: direct } as Booted })
  const booted = await stage(t, packs, { beside: { connection } as Booted })
  const ada = booted.as('ada')
  await ada.key()
  return { way, witness, booted, ada }
}

for (const how of ['cut', 'hang'] as const)
  t.test(`a database that is gone (${how}): 503 soon, recovery by itself, nothing lost`, async (t) => {
    const { way, witness, booted, ada } = await staged(t)
    const acknowledged: string[] = []
    const outcomes: { status: number; ms: number; type: string | undefined }[] = []
    let done = false
    const writing = Array.from({ length: 10 }, async () => {
      while (!done) {
        const began = performance.now()
        const { status, body } = await ada.post('/v1/letters', { text: how })
        outcomes.push({ status, ms: performance.now() - began, type: body.error?.code })
        if (status === 201) acknowledged.push(body.data.id)
      }
    })
    await until(
      async () => acknowledged.length,
      (count) => count > 50
    )
    if (how === 'cut') way.cut()
    else way.hang()
    await until(
      async () => outcomes.filter(({ status }) => status === 503).length,
      (count) => count > 20
    )
    const health = createClient(booted.url, 'anyone')
    t.match(await health.get('/health'), { status: 200 }, 'alive')
    t.match(await health.get('/health/ready'), { status: 503, body: { data: { database: false } } })
    const before = acknowledged.length
    way.mend()
    await until(
      async () => acknowledged.length,
      (count) => count > before + 50
    )
    done = true
    await Promise.all(writing)

    t.same(new Set(outcomes.map(({ status }) => status)), new Set([201, 503]))
    t.same(new Set(outcomes.map(({ type }) => type)), new Set([undefined, 'database_unavailable']))
    t.ok(Math.max(...outcomes.map(({ ms }) => ms)) < LIMIT_MS, 'no caller waited long')
    t.match(
      await until(
        () => health.get('/health/ready'),
        ({ status }) => status === 200
      ),
      { status: 200 }
    )
    await witness.settled()
    await booted.settled()
    const letters: string[] = await witness.platform.knex('letters.letter').pluck('id')
    t.same(
      acknowledged.filter((id) => !letters.includes(id)),
      [],
      'every acknowledged write is there'
    )
    t.same(
      (await witness.as('eve').get('/v1/tally')).body.data,
      Object.fromEntries(letters.map((id) => [id, 1]))
    )
  })

t.test('a server that ends every connection', async (t) => {
  const { witness, booted, ada } = await staged(t)
  t.match(await ada.post('/v1/letters', { text: 'before' }), { status: 201 })
  // Of its own: a platform that loses its listener cuts all that it has.
  const client = new pg.Client(witness.connection)
  await client.connect()
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  )
  await client.end()
  t.ok(rows.length > 2)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => ada.post('/v1/letters', { text: 'after' }))
  )
  for (const { status } of replies) t.ok(status === 201 || status === 503, `${status}`)
  t.match(
    await until(
      () => ada.post('/v1/letters', { text: 'again' }),
      ({ status }) => status === 201
    ),
    {
      status: 201
    }
  )
  await until(
    () => createClient(booted.url, 'anyone').get('/health/ready'),
    ({ status }) => status === 200
  )
})

t.test(
  'a change of packs while the database is away is 503, and what runs agrees with what is written',
  async (t) => {
    const { way, witness, booted } = await staged(t)
    await booted.admin.get('/v1/packs')
    way.hang()
    const began = performance.now()
    t.match(await booted.admin.put('/v1/packs/stamp', { enabled: true }), { status: 503 })
    t.ok(performance.now() - began < LIMIT_MS)
    way.mend()
    t.match(
      await until(
        () => booted.admin.put('/v1/packs/stamp', { enabled: true }),
        ({ status }) => status !== 503
      ),
      {
        status: 200
      }
    )
    await until(
      async () => (await witness.anyone.get('/health')).body.data.packs.up,
      (up) => up.includes('stamp')
    )
    t.match(await booted.as('ada').post('/v1/letters', { text: 'dear' }), {
      body: { data: { text: /stamp/ } }
    })
  }
)

t.test('a platform that starts before its database answers 503, and recovers', async (t) => {
  const { way, connection, direct } = await wayTo(t)
  way.cut()
  const early = await startPlatform(t, connection, [fixtures], packs)
  const anyone = createClient(early.url, 'anyone')
  t.match(await anyone.get('/health'), { status: 200 })
  t.match(await anyone.get('/health/ready'), {
    status: 503,
    body: { data: { ready: false, database: false } }
  })
  t.match(await anyone.get('/v1/auth/me'), {
    status: 503,
    body: { error: { type: 'service_unavailable', code: 'starting' } }
  })
  way.mend()
  await early.ready
  t.match(
    await until(
      () => anyone.get('/health/ready'),
      ({ status }) => status === 200
    ),
    { status: 200 }
  )
  const beside = await stage(t, packs, { beside: { connection: direct } as Booted })
  const ada = createClient(early.url, 'ada', beside.as('ada').key())
  t.match(await ada.post('/v1/letters', { text: 'at last' }), { status: 201 })
})

t.test('a stream of a key that was revoked during an outage ends after it', async (t) => {
  const { way, witness, booted, ada } = await staged(t)
  const { key, id } = (await ada.post('/v1/auth/api-keys', { name: 'for the stream' })).body.data
  const broadcast = (await ada.post('/v1/broadcast', {})).body.data.id
  const heard = await listen(t, `${booted.url}/v1/broadcast/${broadcast}/events`, key)
  await heard.reached(0)
  const away = Promise.withResolvers<void>()
  using _ = booted.platform.presence.onChange((connected) => connected || away.resolve())
  way.cut()
  await away.promise
  t.match(await witness.as('ada').delete(`/v1/auth/api-keys/${id}`), { status: 200 })
  if (!process.env.TEST_REDIS_URL)
    t.equal(booted.platform.packs.readings().streams, 1, 'the stream has outlived the connection')
  way.mend()
  await heard.ended
  t.equal(booted.platform.packs.readings().streams, 0)
})
