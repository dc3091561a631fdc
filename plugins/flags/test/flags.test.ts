// budget: 6 s, because two instances start
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'

const beta = {
  state: 'ENABLED',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  targeting: { if: [{ '==': [{ var: 'owner' }, 'ada'] }, 'on', null] },
  metadata: { team: 'editor' }
}
const env = {
  FLAGS_DEFINITIONS: JSON.stringify({ flags: { beta, calm: { state: 'DISABLED', variants: { a: 'b' } } } })
}
const booted = await boot(t, 'flags', 'packs', { env } as never)
const { as, admin, anyone, settled, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]
const get = async (by: typeof ada, key: string) => (await by.get(`/v1/flags/${key}`)).body.data

t.test('a flag of the deployment is evaluated for the caller, with its variant and reason', async (t) => {
  t.same(await get(ada, 'beta'), {
    ...{ key: 'beta', value: true, variant: 'on', reason: 'TARGETING_MATCH', error: null },
    ...{ source: 'deployment', metadata: { team: 'editor' } }
  })
  t.match(await get(eve, 'beta'), { value: false, variant: 'off', reason: 'DEFAULT' })
  t.match(await get(eve, 'calm'), { value: null, variant: null, reason: 'DISABLED' })
  const agent = await ada.agent()
  const its = as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await get(its, 'beta'), { value: true }, 'agents are as their owners')
  t.match((await ada.get('/v1/flags')).body, {
    data: [{ key: 'beta', value: true }, { key: 'calm' }],
    nextCursor: null
  })
  const page = (await ada.get('/v1/flags?limit=1')).body
  t.match((await ada.get(`/v1/flags?limit=1&cursor=${page.nextCursor}`)).body, {
    data: [{ key: 'calm' }],
    nextCursor: null
  })
  t.match(await ada.get('/v1/flags/nope'), { status: 404, body: { error: { type: 'not_found' } } })
  t.match(await anyone.get('/v1/flags/beta'), { status: 401 })
  t.match(await as('narrow', { scopes: ['agents:read'] }).get('/v1/flags/beta'), { status: 403 })
})

t.test('operators set flags for all, on all instances at once, and take them back', async (t) => {
  const other = await boot(t, 'flags', 'packs', { beside: booted, env } as never)
  const there = other.as('ada')
  const elsewhere = async () => (await there.get('/v1/flags/beta')).body.data
  await elsewhere()
  const set = await admin.put('/v1/flags/beta', { ...beta, defaultVariant: 'on', targeting: {} })
  t.match(set, {
    status: 200,
    body: { data: { key: 'beta', source: 'platform', version: 1, updatedBy: String } }
  })
  t.match(await get(eve, 'beta'), { value: true, reason: 'STATIC', source: 'platform' })
  t.match(await until(elsewhere, ({ source }: { source: string }) => source === 'platform'), { value: true })
  const read = await admin.get('/v1/flags/beta/definition')
  t.equal(read.headers.get('etag'), '"1"')
  const again = await admin.put('/v1/flags/beta', read.body.data, { 'if-match': '"1"' })
  t.match(again, { status: 200, body: { data: { version: 2 } } }, 'what is read can be sent back')
  t.match(await admin.put('/v1/flags/beta', beta, { 'if-match': '"1"' }), { status: 412 })
  t.match(await admin.put('/v1/flags/fresh', beta), { status: 201, body: { data: { version: 1 } } })
  t.match(await admin.delete('/v1/flags/fresh', { 'if-match': '"7"' }), { status: 412 })
  for (const key of ['beta', 'fresh'])
    t.match(await admin.delete(`/v1/flags/${key}`), {
      status: 200,
      body: { data: { id: key, deleted: true } }
    })
  t.match(await admin.delete('/v1/flags/fresh'), { status: 404 })
  t.match(await get(eve, 'beta'), { value: false, source: 'deployment' }, 'as the deployment has it')
  t.match(await until(elsewhere, ({ source }: { source: string }) => source === 'deployment'), {})
  await settled()
  const facts = await platform.knex('kernel.fact').where('name', 'like', 'flags.%').orderBy('position')
  t.same(
    facts.map(({ name, subject }) => `${name} ${subject}`),
    [
      'flags.updated beta',
      'flags.updated beta',
      'flags.updated fresh',
      'flags.deleted beta',
      'flags.deleted fresh'
    ]
  )
})

t.test('a percentage: the same for one caller each time, about as many as it says', async (t) => {
  const targeting = {
    fractional: [
      ['on', 25],
      ['off', 75]
    ]
  }
  await admin.put('/v1/flags/rollout', { ...beta, targeting })
  const values: Awaited<ReturnType<typeof get>>[] = []
  // Each has a key made first: a few at a time.
  while (values.length < 120)
    values.push(
      ...(await Promise.all(Array.from({ length: 8 }, (_, n) => get(as(`p${values.length + n}`), 'rollout'))))
    )
  const on = values.filter(({ value }) => value).length
  t.ok(on > 12 && on < 50, `${on} of 120`)
  t.same(
    await Promise.all(Array.from({ length: 5 }, (_, n) => get(as(`p${n}`), 'rollout'))),
    values.slice(0, 5)
  )
})

t.test('by project and type of principal', async (t) => {
  const inProject = {
    if: [
      { and: [{ '==': [{ var: 'project' }, 'default'] }, { '==': [{ var: 'principalType' }, 'service'] }] },
      'on',
      'off'
    ]
  }
  await admin.put('/v1/flags/services', { ...beta, targeting: inProject })
  t.match(await get(as('crm', { type: 'service' }), 'services'), { value: true })
  t.match(await get(ada, 'services'), { value: false })
  t.match(await get(as('crm2', { type: 'service', project: 'other' }), 'services'), { value: false })
})

t.test('what is no flag, and who may not', async (t) => {
  for (const [body, param] of [
    [{ ...beta, state: 'ON' }, '/state'],
    [{ ...beta, variants: {} }, '/variants'],
    [{ ...beta, variants: { on: true, off: 'no' } }, '/variants'],
    [{ ...beta, defaultVariant: 'maybe' }, '/defaultVariant'],
    [{ ...beta, targeting: { conjure: [1] } }, '/targeting'],
    [{ ...beta, colour: 'red' }, '/colour']
  ] as const)
    t.match(await admin.put('/v1/flags/wrong', body), { status: 400, body: { error: { param } } }, param)
  t.match(await admin.put('/v1/flags/.odd', beta), { status: 400 })
  for (const reply of [
    await ada.put('/v1/flags/beta', beta),
    await ada.delete('/v1/flags/beta'),
    await ada.get('/v1/flags/beta/definition')
  ])
    t.match(reply, { status: 403, body: { error: { code: 'scope_missing' } } })
  t.match(await admin.get('/v1/flags/nope/definition'), { status: 404 })
  const wrong = await admin.put('/v1/packs/flags', {
    settings: { definitions: '{"flags":{"x":{"state":1}}}' }
  })
  t.ok(wrong.status >= 400, 'a document that is none is refused')
  t.match(await get(ada, 'beta'), { value: true }, 'and the one before stays')
})
