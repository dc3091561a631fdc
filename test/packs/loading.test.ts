import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import type { BootOptions } from '../boot.ts'
import { openSocket } from './sockets.ts'
import { fixtures, hear, lantern, stage, statusOf, until, workshop } from './stage.ts'

t.test('each field of a manifest takes effect', async (t) => {
  const told = hear<{ event: string; step?: number; id?: string }>(t, 'everything')
  const { admin, as, anyone, url, platform, settled } = await stage(t, ['letters', 'everything'])
  const ada = as('ada')
  t.match((await statusOf(admin, 'everything')).area, 'Fixtures', 'area')
  t.match(await statusOf(admin, 'everything'), { requires: ['letters'], uses: ['tally'] })
  t.same((await ada.get('/v1/everything')).body.data, {
    said: 'hello, ada',
    size: 3,
    words: [],
    tokenLength: null,
    tally: false
  })
  const words = await ada.request('POST', '/v1/everything/words', {
    body: 'any words',
    headers: { 'content-type': 'text/x-everything' }
  })
  t.match(words, { status: 200, body: { data: { text: 'any words' } } }, 'a parser of its own')
  t.equal(words.headers.get('x-everything'), 'yes', 'a hook of its own')
  const letter = await ada.request('POST', '/v1/letters', {
    body: 'any words',
    headers: { 'content-type': 'text/x-everything' }
  })
  t.equal(letter.status, 415, 'a parser is for its own routes only')
  t.equal(letter.headers.get('x-everything'), null, 'and so is a hook')
  t.match(
    await anyone.get('/everything/door'),
    { status: 200, body: { data: { open: true } } },
    'root, public'
  )
  t.equal(
    (await openSocket(t, `${url}/v1/everything/rooms/7`, await ada.key())).text,
    'ada in 7\n',
    'upgrade'
  )

  const sent = await ada.post('/v1/letters', { text: 'dear' })
  t.equal(sent.body.data.text, 'dear everything', 'contributes')
  await settled()
  t.same(await platform.knex('everything.heard').pluck('letterId'), [sent.body.data.id], 'on, migrations')

  t.match(await ada.post('/v1/everything/steps', {}), { body: { data: { outcome: 'done' } } }, 'steps')
  t.same(
    told.told.filter(({ event }) => event === 'step').map(({ step }) => step),
    [1, 2, 3]
  )
  await admin.put('/v1/packs/everything', { enabled: false })
  t.same(
    (
      await until(
        async () => told.told,
        (all) => all.some(({ event }) => event === 'stop')
      )
    )
      .map(({ event }) => event)
      .filter((event) => event !== 'step'),
    ['start', 'resume', 'stop'],
    'start, resume and stop'
  )
  t.match(await ada.get('/v1/everything'), { status: 404 })
})

/** What a version says of itself, by all ways that lead to its files. */
const version = (name: string): Readonly<Record<string, string>> => ({
  'pack.ts': lantern(
    name,
    '',
    `import { readFile } from 'node:fs/promises'
     import { Worker } from 'node:worker_threads'
     import { fork } from 'node:child_process'
     import { Type } from 'typebox'
     import { notFound } from 'agent-platform'
     import { answer } from './lib/answer.ts'
     const first = (it) => new Promise((resolve, reject) => it.once('message', resolve).once('error', reject))
     function more(app) {
       app.get('/lantern/now', async () => ({ data: answer, type: Type.String().type, where: import.meta.url }))
       app.get('/lantern/lazy', async () => ({ data: (await import('./lib/lazy.ts')).lazy }))
       app.get('/lantern/worker', async () => ({ data: await first(new Worker(new URL('./lib/speak.ts', import.meta.url))) }))
       app.get('/lantern/child', async () => ({ data: await first(fork(new URL('./lib/speak.ts', import.meta.url))) }))
       app.get('/lantern/asset', async () => ({ data: await readFile(new URL('./asset.txt', import.meta.url), 'utf8') }))
       app.get('/lantern/missing', async () => { throw notFound('Wick') })
     }`
  ),
  'lib/answer.ts': `export const answer: string = '${name} answer'`,
  'lib/lazy.ts': `export const lazy = '${name} answer'`,
  'lib/speak.ts': `import { parentPort } from 'node:worker_threads'
    import { answer } from './answer.ts'
    if (parentPort) parentPort.postMessage(answer)
    else process.send?.(answer)`,
  'asset.txt': `${name} answer`
})

t.test('an old version never sees new files, and a new one no old ones', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', version('first'))
  const { admin, as, dataDir } = await stage(t, ['lantern'], { folders: [folder] })
  const ways = ['now', 'lazy', 'worker', 'child', 'asset']
  const ada = as('ada')

  await write('lantern', version('second'))
  for (const way of ways)
    t.match(await ada.get(`/v1/lantern/${way}`), { body: { data: 'first answer' } }, `first, ${way}`)
  t.match((await ada.get('/v1/lantern/missing')).body, { error: { message: 'Wick not found' } })
  const { digest } = await statusOf(admin, 'lantern')
  const { where, type } = (await ada.get('/v1/lantern/now')).body
  t.equal(where, pathToFileURL(join(dataDir, 'packs', `lantern@${digest}`, 'pack.ts')).href)
  t.equal(type, 'string', 'npm packages are found from outside of the repository')

  t.match(await admin.post('/v1/packs/lantern/reload'), { status: 200 })
  await rm(join(folder, 'lantern', 'lib'), { recursive: true })
  await rm(join(folder, 'lantern', 'asset.txt'))
  for (const way of ways)
    t.match(await ada.get(`/v1/lantern/${way}`), { body: { data: 'second answer' } }, `second, ${way}`)
  t.not((await statusOf(admin, 'lantern')).digest, digest)
})

t.test('migrations of a version come from its copy', async (t) => {
  const { folder, write } = await workshop(t)
  const migration = (table: string) => `
    export const up = (knex) => knex.raw('create table lantern.${table} (id text)')
    export const down = (knex) => knex.raw('drop table lantern.${table}')`
  // What lies in the folder changes after it was read, and before its migrations are run.
  const replacing = `import { writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(join(folder, 'lantern/migrations/0001-create-wick.ts'))}, 'throw new Error("new file")')`
  await write('lantern', {
    'pack.ts': lantern('first', '', replacing),
    'migrations/0001-create-wick.ts': migration('wick')
  })
  const { as, platform } = await stage(t, ['lantern'], { folders: [folder] })
  t.match(await as('ada').get('/v1/lantern'), { body: { data: 'first' } })
  t.same(await platform.knex('lantern.wick'), [])
})

t.test('taking a folder away takes the feature away, and nothing else notices', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first') })
  const options: BootOptions = { folders: [fixtures, folder] }
  const first = await stage(t, ['letters', 'lantern'], options)
  t.match(await first.as('ada').get('/v1/lantern'), { status: 200 })

  await rm(join(folder, 'lantern'), { recursive: true })
  t.match(await first.admin.put('/v1/packs/tally', { enabled: true }), { status: 200 })
  t.match(await first.as('ada').get('/v1/lantern'), { status: 200 }, 'what runs goes on')
  t.match(await first.admin.post('/v1/packs/lantern/reload'), {
    status: 409,
    body: { error: { message: /no such pack/ } }
  })

  const second = await stage(t, ['letters', 'lantern'], { ...options, beside: first })
  t.match(await second.as('eve').get('/v1/lantern'), { status: 404 })
  t.match(await second.as('eve').post('/v1/letters', { text: 'dear' }), { status: 201 })
  t.match((await second.anyone.get('/health')).body.data.packs.up, ['access', 'letters', 'packs', 'tally'])
})

t.test('packs are reloaded as their files change, where that is wanted', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first') })
  const { as, platform } = await stage(t, ['lantern'], { folders: [folder] })
  using _watching = platform.watch()
  await write('lantern', { 'pack.ts': lantern('second') })
  const reply = await until(
    () => as('ada').get('/v1/lantern'),
    ({ body }) => body.data !== 'first'
  )
  t.equal(reply.body.data, 'second')
})
