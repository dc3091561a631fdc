// tier: whole
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { database } from './database.ts'
import { folderFor } from './embedded.ts'
import { paste, start, stop, wordsOf } from './first-start.ts'
import { databaseUrl, run } from './http/process.ts'
import { migrated } from './migrated.ts'
import { temporaryFolder } from './pack-folders.ts'

const keyOf = async (folder: string) => (await readFile(join(folder, 'development-key'), 'utf8')).trim()
/** Status of a request with that key. */
const ask = async (command: string, key: string) => {
  const [url = ''] = /http:\/\/[^/]+/.exec(command) ?? []
  return (await fetch(`${url}/v1/packs`, { headers: { authorization: `Bearer ${key}` } })).status
}

t.test('nothing but Node: what is printed works as it stands, also the second time', async (t) => {
  const DATA_DIR = join(folderFor(t), `it's my data`)
  const first = await start(t, { DATA_DIR })
  t.match(first.command, /^curl -N 'http:\/\/127\.0\.0\.1:\d+\/v1\/agents\/run\/stream' /)
  const events = await paste(first.command)
  t.equal(events.at(0)?.type, 'run_started')
  t.match(events.at(-1), { type: 'final', content: /^I can help with your first steps here/ })

  const block = wordsOf(first)
  for (const line of [
    /^ {2}API +http:\/\/127\.0\.0\.1:\d+$/m,
    /^ {2}Console +http:.*\/console$/m,
    /^ {2}Docs +http:.*\/docs$/m,
    /^ {2}Model +local\//m
  ])
    t.match(block, line)
  t.ok(block.includes(`Data     ${DATA_DIR}\n`))
  t.ok(block.includes(`Key      ${join(DATA_DIR, 'development-key')} `))
  for (const line of block.split('\n').filter((line) => !/^curl|^ {2}(Data|Key)/.test(line)))
    t.ok(line.length <= 96, line)
  const key = await keyOf(DATA_DIR)
  t.notMatch(block, '#code=', 'a link is for a terminal')
  t.notOk(first.output().includes(key), 'the key is printed nowhere')
  t.equal((await stat(join(DATA_DIR, 'development-key'))).mode & 0o777, 0o600)
  t.equal(await ask(first.command, key), 200, 'it may do everything')
  await stop(first)

  const second = await start(t, { DATA_DIR })
  t.equal(await keyOf(DATA_DIR), key)
  t.equal(/agent_\w+/.exec(second.command)?.[0], /agent_\w+/.exec(first.command)?.[0])
  t.match((await paste(second.command)).at(-1), { type: 'final' })
  await stop(second)
})

t.test('two processes at once make one key and one agent', async (t) => {
  const { connection, knex } = await database(t)
  const env = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: databaseUrl(connection) }
  const both = await Promise.all([start(t, env), start(t, env)])
  t.equal(new Set(both.map(({ command }) => /agent_\w+/.exec(command)?.[0])).size, 1)
  t.equal((await knex('kernel.credential').where({ principal: 'developer' })).length, 1)
  t.equal((await knex('agents.agent')).length, 1)
  for (const { command } of both) t.match((await paste(command)).at(-1), { type: 'final' })
  await Promise.all(both.map(stop))
})

t.test('where it listens on all addresses, or needs no key, the line says so', async (t) => {
  const { connection } = await database(t, migrated())
  const DATABASE_URL = databaseUrl(connection)
  const [all, open] = await Promise.all([
    start(t, { DATABASE_URL, HOST: '0.0.0.0' }),
    start(t, { DATABASE_URL, HOST: '::1', API_AUTH_REQUIRED: 'false' })
  ])
  t.match(all.command, /^curl -N 'http:\/\/127\.0\.0\.1:[1-9]/)
  t.match(open.command, /^curl -N 'http:\/\/\[::1\]:[1-9]/)
  t.match(open.output(), /^ {2}Key +none is needed/m)
  t.notMatch(open.command, /Authorization|development-key/)
  for (const { command } of [all, open]) t.match((await paste(command)).at(-1), { type: 'final' }, command)
})

t.test('in production nothing is printed beside the log, and nothing is made', async (t) => {
  const { connection, knex } = await database(t, migrated())
  const DATA_DIR = await temporaryFolder(t)
  const it = await run(t, {
    DATA_DIR,
    DATABASE_URL: databaseUrl(connection),
    NODE_ENV: 'production',
    PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64')
  })
  await it.line('ready')
  await stop(it)
  t.equal(wordsOf(it).trim(), '')
  t.notOk((await readdir(DATA_DIR)).includes('development-key'))
  t.same(await knex('kernel.credential'), [])
  t.same(await knex('agents.agent'), [])
})
