import t from 'tap'
import { stage, statusOf } from './stage.ts'

const packs = ['letters', 'everything']
const pack = '/v1/packs/everything'
const inFile = (fields: object) => ({
  deployment: {
    enabled: false,
    packs: {
      access: { enabled: true },
      packs: { enabled: true },
      letters: { enabled: true },
      everything: { enabled: true, ...fields }
    }
  }
})

t.test('environment, locked, table, file, default: each wins over those after it', async (t) => {
  const first = await stage(t, packs, inFile({ settings: { greeting: 'file' } }))
  const greeting = async ({ admin, as }: typeof first) => {
    const { said } = (await as('ada').get('/v1/everything')).body.data
    const { value, from } = (await statusOf(admin, 'everything')).settings.greeting
    t.equal(said, `${value}, ada`, `what is shown is what is used: ${value}`)
    return `${value} from ${from}`
  }
  t.equal(await greeting(first), 'file from file')
  t.match(await first.admin.put(pack, { settings: { greeting: 'table' } }), { status: 200 })
  t.equal(await greeting(first), 'table from table')
  const plain = await stage(t, packs, { beside: first })
  t.equal(await greeting(plain), 'table from table', 'another instance, without the file')
  const locked = await stage(t, packs, {
    beside: first,
    ...inFile({ settings: { greeting: 'file' }, locked: { settings: { greeting: 'locked' } } })
  })
  t.equal(await greeting(locked), 'locked from locked')
  const environment = await stage(t, packs, {
    beside: first,
    env: { EVERYTHING_GREETING: 'environment' },
    ...inFile({ locked: { settings: { greeting: 'locked' } } })
  })
  t.equal(await greeting(environment), 'environment from environment')

  for (const [instance, by] of [
    [locked, 'deployment'],
    [environment, 'environment']
  ] as const)
    t.match(await instance.admin.put(pack, { settings: { greeting: 'mine' } }), {
      status: 409,
      body: { error: { code: 'locked', param: '/settings/greeting', message: new RegExp(by) } }
    })
  t.match(await first.admin.put(pack, { settings: { greeting: null } }), { status: 200 })
  t.equal(await greeting(first), 'file from file', 'null goes back')
  const bare = await stage(t, packs, { beside: first })
  t.equal(await greeting(bare), 'hello from default')
})

t.test('whether a pack is on has the same order', async (t) => {
  const { admin } = await stage(t, [], inFile({ locked: { enabled: true } }))
  t.match(await statusOf(admin, 'everything'), { enabled: { value: true, from: 'locked' } })
  t.match(await statusOf(admin, 'letters'), { enabled: { value: true, from: 'file' } })
  t.match(await statusOf(admin, 'tally'), { enabled: { value: false, from: 'default' }, status: 'off' })
  t.match(await admin.put(pack, { enabled: false }), {
    status: 409,
    body: { error: { code: 'locked', param: '/enabled' } }
  })
  t.match(await admin.put(pack, { enabled: true }), { status: 200 }, 'what it is already may be said')
  t.match(await admin.put('/v1/packs/tally', { enabled: true }), {
    body: { data: { enabled: { value: true, from: 'table' } } }
  })
})

t.test('what the schema does not take is 400 and names it', async (t) => {
  const { admin, as, platform } = await stage(t, packs)
  const { generation } = platform.packs.readings()
  for (const [settings, param] of [
    [{ nothing: 1 }, '/settings/nothing'],
    [{ size: '5' }, '/settings/size'],
    [{ size: 0 }, '/settings/size'],
    [{ greeting: 'x'.repeat(21) }, '/settings/greeting'],
    [{ words: ['a', 1] }, '/settings/words'],
    [{ greeting: 'fine', size: null, token: 7 }, '/settings/token']
  ] as const)
    t.match(await admin.put(pack, { settings }), {
      status: 400,
      body: { error: { type: 'invalid_request_error', param } }
    })
  t.match(await admin.put(pack, {}), { status: 400 })
  t.match(await admin.put(pack, { enabled: 'yes' }), { status: 400, body: { error: { param: '/enabled' } } })
  t.match(await as('ada').put(pack, { enabled: false }), { status: 403 })
  t.equal(platform.packs.readings().generation, generation)
  t.match(await as('ada').get('/v1/everything'), { body: { data: { said: 'hello, ada', size: 3 } } })
})

t.test('an environment variable is text, and is read as what the schema says', async (t) => {
  const { as, admin } = await stage(t, packs, { env: { EVERYTHING_SIZE: '12', EVERYTHING_TOKEN: 'hush' } })
  t.match(await as('ada').get('/v1/everything'), { body: { data: { size: 12, tokenLength: 4 } } })
  t.match((await statusOf(admin, 'everything')).settings, {
    size: { from: 'environment' },
    token: { value: { set: true }, from: 'environment' }
  })
})

t.test('a pack does not run with an environment variable of the wrong kind', async (t) => {
  const { admin } = await stage(t, packs, { env: { EVERYTHING_SIZE: 'many' } })
  t.match(await statusOf(admin, 'everything'), { status: 'failed', reason: /setting size \(environment\)/ })
})

t.test('a secret is sealed at rest, and shown only as set or not', async (t) => {
  const secret = 'a-secret-that-nobody-may-see'
  const lines: string[] = []
  const { admin, as, platform } = await stage(t, packs, { log: (line) => lines.push(JSON.stringify(line)) })
  t.match((await statusOf(admin, 'everything')).settings.token, { value: { set: false }, from: 'default' })
  const replies = [
    await admin.put(pack, { settings: { token: secret } }),
    await admin.get(pack),
    await admin.get('/v1/packs'),
    await admin.get('/v1/packs/changes'),
    await admin.put(pack, { settings: { token: `${secret}-again`, size: 'no' } })
  ]
  for (const { text } of replies) t.notMatch(text, secret)
  t.match(replies[0], { body: { data: { settings: { token: { value: { set: true }, from: 'table' } } } } })
  t.match(await as('ada').get('/v1/everything'), { body: { data: { tokenLength: secret.length } } }, 'used')
  for (const table of ['pack', 'pack_change', 'pack_instance', 'vault_key', 'fact'])
    t.notMatch(
      JSON.stringify(await platform.knex(`kernel.${table}`).catch(() => [])),
      secret,
      `sealed in ${table}`
    )
  t.match(await platform.knex('kernel.pack').where({ name: 'everything' }).first(), {
    settings: { token: String }
  })
  t.notMatch(lines.join('\n'), secret, 'not in the log')

  t.match(await admin.put(pack, { settings: { token: null } }), {
    body: { data: { settings: { token: { value: { set: false } } } } }
  })
  t.match(await as('ada').get('/v1/everything'), { body: { data: { tokenLength: null } } })
})
