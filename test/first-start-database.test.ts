// tier: whole
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { database } from './database.ts'
import { folderFor, query, start as startServer } from './embedded.ts'
import { greeted, paste, start, stop, wordsOf } from './first-start.ts'
import { databaseUrl, run } from './http/process.ts'
import { migrated } from './migrated.ts'
import { proxy } from './proxy.ts'
import { refusals, refused } from './refusals.ts'

t.test('while the database is away it waits, says so once, and prints nothing that is not so', async (t) => {
  const { connection } = await database(t, migrated())
  const { host = '', port, user, database: name } = connection
  const way = await proxy(
    t,
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: port ?? 5432 }
  )
  way.cut()
  const it = await run(t, {
    DATABASE_URL: databaseUrl({ host: way.host, port: way.port, user: String(user), database: String(name) })
  })
  await it.said(/not ready yet/)
  const { url } = await it.line('listening')
  t.equal((await fetch(`${url}/health/ready`)).status, 503)
  t.equal(wordsOf(it), '')
  way.mend()
  const { command } = await greeted(it)
  t.match((await paste(command)).at(-1), { type: 'final' })
  t.equal(it.output().split('not ready yet').length, 2)
  t.match(it.output(), /^ {2}Data .*, database test_\w+ at\s+127\.0\.0\.1:\d+\s+\(DATABASE_URL\)/m)
})

t.test('data of a newer version are served, and that is said', async (t) => {
  const { connection, knex } = await database(t, migrated())
  const env = { DATABASE_URL: databaseUrl(connection) }
  await stop(await start(t, env))
  await knex('kernel.migration').insert({ pack: 'kernel', name: '9999-make-better' })
  const it = await start(t, env)
  t.match(
    it.lines.find(({ level }) => Number(level) >= 40),
    { msg: /written by a newer version/ }
  )
  t.match((await paste(it.command)).at(-1), { type: 'final' })
})

t.test('a database that answers and is of no use', async (t) => {
  const { connection } = await database(t)
  const embedded = await startServer(t, join(folderFor(t), 'data'))
  const { where } = embedded
  await query(embedded, 'select 1')
  const asSuperuser = { connection: { ...embedded.connection, user: 'postgres', database: 'postgres' } }
  for (const text of [
    `create role guarded login password 'right'`,
    'create role guest login',
    'revoke create, temporary on database platform from public'
  ])
    await query(asSuperuser, text)
  const rules = join(where, 'pg_hba.conf')
  const known = await readFile(rules, 'utf8')
  await writeFile(rules, `local all guarded scram-sha-256\nlocal all banned reject\n${known}`)
  await query(asSuperuser, 'select pg_reload_conf()')
  const at = (user: string, name = 'platform') =>
    databaseUrl({ ...embedded.connection, user, database: name }).replace('guarded', 'guarded:hunter2')
  await refusals(t, [
    [
      { DATABASE_URL: at('guarded') },
      /The database cannot be used: password authentication failed for user "guarded": correct the user or the password in DATABASE_URL$/
    ],
    [
      { DATABASE_URL: at('nobody-here') },
      /cannot be used: role "nobody-here" does not exist: correct the user/
    ],
    [
      { DATABASE_URL: at('banned') },
      /cannot be used: .*"banned".*: correct the user in DATABASE_URL, or let/
    ],
    [
      { DATABASE_URL: at('platform', 'nowhere') },
      /cannot be used: database "nowhere" does not exist: create that/
    ],
    [
      { DATABASE_URL: at('guest') },
      /cannot be used: .*permission denied for database platform.*: give the user/
    ],
    [
      { DATABASE_URL: await older(t, connection) },
      /cannot be used: it is PostgreSQL 14\.\d+: set DATABASE_URL to a server of version 15/
    ]
  ])
  t.notMatch(await refused(t, { DATABASE_URL: at('guarded') }), 'hunter2')
})

/** A way to a server that says that it is of version 14. */
async function older(
  t: Test,
  { host = '', port = 5432, user, database: name }: Parameters<typeof databaseUrl>[0]
) {
  const server = createServer((near) => {
    const far = connect(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) }
    )
    near
      .on('error', () => far.destroy())
      .on('close', () => far.destroy())
      .pipe(far)
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    far.on('data', (chunk) =>
      near.write(chunk.toString('latin1').replaceAll(/\b1[5-9](?=\.\d)/g, '14'), 'latin1')
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port: own } = server.address() as AddressInfo
  return databaseUrl({ host: '127.0.0.1', port: own, user: String(user), database: String(name) })
}
