import t from 'tap'
import { boot } from '../../../test/boot.ts'

t.test('an operator sees the packs', async (t) => {
  const { admin, as, anyone } = await boot(t, 'packs', 'goals')

  const { status, body } = await admin.get('/v1/packs')
  t.equal(status, 200)
  t.equal(body.nextCursor, null)
  const goals = body.data.find(({ name }: { name: string }) => name === 'goals')
  t.match(goals, {
    area: 'Work',
    summary: 'goals of agents and their progress',
    status: 'running',
    reason: null,
    enabled: { value: true, from: 'file' },
    requires: ['agents'],
    instances: [{ status: 'running', digest: goals.digest }],
    desiredDigest: goals.digest,
    page: /^[0-9a-f]{16}$/
  })
  t.match(
    body.data.find(({ name }: { name: string }) => name === 'compute'),
    { status: 'off', enabled: { value: false, from: 'default' }, digest: null, page: null }
  )
  t.same((await admin.get('/v1/packs/goals')).body.data, goals)
  t.match(await admin.get('/v1/packs/nope'), { status: 404, body: { error: { message: 'Pack not found' } } })
  for (const path of ['/v1/packs', '/v1/packs/goals', '/v1/packs/changes']) {
    t.match(await as('ada').get(path), { status: 403, body: { error: { code: 'scope_missing' } } })
    t.match(await anyone.get(path), { status: 401 })
  }
})

t.test('an operator turns packs off and on', async (t) => {
  const { admin, as } = await boot(t, 'packs', 'goals')
  const ada = as('ada')
  const agent = await ada.agent()
  const create = () => ada.post('/v1/goals', { agentId: agent.id, title: 'Ship' })
  const made = await create()

  t.match(await admin.put('/v1/packs/goals', { enabled: false }), {
    status: 200,
    body: { data: { status: 'off', enabled: { value: false, from: 'table' } } }
  })
  t.match(await create(), { status: 404, body: { error: { message: 'Route not found' } } })
  t.match(await admin.put('/v1/packs/goals', { enabled: true }), { body: { data: { status: 'running' } } })
  t.match(await ada.get(`/v1/goals/${made.body.data.id}`), { status: 200 }, 'what it kept is still there')

  t.match(
    await admin.put('/v1/packs/agents', { enabled: false }),
    { status: 409, body: { error: { code: 'pack_failed', message: /goals/ } } },
    'another pack needs it'
  )
  t.match(await create(), { status: 201 }, 'a refused change changes nothing')

  t.match(await admin.put('/v1/packs/goals', {}), { status: 400, body: { error: { param: '' } } })
  t.match(await admin.put('/v1/packs/goals', { enabled: 'no' }), {
    status: 400,
    body: { error: { param: '/enabled' } }
  })
  t.match(await admin.put('/v1/packs/goals', { settings: { colour: 'red' } }), {
    status: 400,
    body: { error: { param: '/settings/colour' } }
  })
  t.match(await admin.put('/v1/packs/nope', { enabled: true }), { status: 404 })
  t.match(await ada.put('/v1/packs/goals', { enabled: false }), { status: 403 })
})

t.test('a pack tells which settings it takes, and never a secret', async (t) => {
  const { admin } = await boot(t, 'packs', 'models')
  const key = 'sk-of-a-secret'
  const changed = await admin.put('/v1/packs/models', { settings: { openaiApiKey: key, modelId: 'echo' } })
  t.match(changed, {
    status: 200,
    body: {
      data: {
        settings: {
          openaiApiKey: { value: { set: true }, from: 'table' },
          modelId: { value: 'echo', from: 'table' },
          openaiCompatibleImages: { value: false, from: 'default' }
        },
        settingsSchema: {
          type: 'object',
          properties: {
            openaiApiKey: { type: 'string', secret: true, env: 'OPENAI_API_KEY', description: String },
            openaiCompatibleImages: { type: 'boolean', default: false }
          }
        }
      }
    }
  })
  t.notMatch(JSON.stringify(changed.body), key)
  t.notOk(changed.body.data.settingsSchema.properties.modelId.secret)
  t.match(await admin.get('/v1/packs/packs'), { body: { data: { settings: {}, settingsSchema: null } } })
})

t.test('changes are recorded', async (t) => {
  const { admin, as } = await boot(t, 'packs', 'goals')
  await admin.put('/v1/packs/goals', { enabled: false })
  await admin.put('/v1/packs/goals', { enabled: true })
  await admin.put('/v1/packs/agents', { enabled: false })
  t.match(await admin.post('/v1/packs/goals/reload'), { status: 200, body: { data: { status: 'running' } } })
  t.match(await admin.post('/v1/packs/compute/reload'), {
    status: 409,
    body: { error: { code: 'pack_off' } }
  })
  t.match(await admin.post('/v1/packs/nope/reload'), { status: 404 })
  t.match(await as('ada').post('/v1/packs/goals/reload'), { status: 403 })

  const { body } = await admin.get('/v1/packs/changes?limit=4')
  t.match(body.data, [
    { pack: 'goals', action: 'reloaded', outcome: 'applied' },
    { pack: 'agents', action: 'disabled', outcome: 'refused', reason: /goals/ },
    { pack: 'goals', action: 'enabled', outcome: 'applied', buildMs: Number, before: { requests: Number } },
    { pack: 'goals', action: 'disabled', outcome: 'applied', toDigest: null }
  ])
  const rest = await admin.get(`/v1/packs/changes?cursor=${body.nextCursor}`)
  t.ok(
    rest.body.data.every(
      ({ actor, action }: { actor: string; action: string }) => actor === 'platform' && action === 'installed'
    )
  )
  t.match((await admin.get('/v1/packs/changes?pack=agents')).body.data, [
    { action: 'disabled' },
    { action: 'installed' }
  ])
  t.match(await admin.get('/v1/packs/changes?cursor=x'), {
    status: 400,
    body: { error: { param: 'cursor' } }
  })
})

t.test('only a dead-lettered fact is handed over again', async (t) => {
  const { admin, as } = await boot(t, 'packs')
  const path = '/v1/packs/agents/dead-lettered/fact_nope/replay'
  t.match(await admin.post(path), {
    status: 404,
    body: { error: { message: 'Dead-lettered fact not found' } }
  })
  t.match(await as('ada').post(path), { status: 403 })
})

t.test('what turns packs on cannot be turned off with it', async (t) => {
  const { admin } = await boot(t, 'packs')
  t.match(await admin.put('/v1/packs/packs', { enabled: false }), {
    status: 409,
    body: { error: { code: 'locked', param: '/enabled', message: /deployment/ } }
  })
  t.match(await admin.put('/v1/packs/packs', { enabled: true }), { status: 200 })
  t.match(await admin.get('/v1/packs/packs'), { body: { data: { status: 'running' } } })
})

t.test('an operator removes a pack', async (t) => {
  const { admin, as } = await boot(t, 'packs', 'goals')
  const ada = as('ada')
  const agent = await ada.agent()
  const create = () => ada.post('/v1/goals', { agentId: agent.id, title: 'Ship' })
  const { body } = await create()
  const goal = `/v1/goals/${body.data.id}`

  t.match(await ada.delete('/v1/packs/goals'), { status: 403, body: { error: { code: 'scope_missing' } } })
  t.match(await admin.delete('/v1/packs/nope'), { status: 404 })
  t.match(await admin.delete('/v1/packs/goals?dropData=no'), {
    status: 400,
    body: { error: { param: 'dropData' } }
  })
  t.match(await admin.delete('/v1/packs/agents'), {
    status: 409,
    body: { error: { code: 'pack_required', message: /goals/ } }
  })
  t.match(await admin.delete('/v1/packs/packs'), { status: 409, body: { error: { code: 'locked' } } })
  t.match(await create(), { status: 201 }, 'what is refused changes nothing')

  t.match(await admin.delete('/v1/packs/goals'), {
    status: 200,
    body: { data: { id: 'goals', deleted: true, tables: [], migrations: [] } }
  })
  t.match(await ada.get(goal), { status: 404, body: { error: { message: 'Route not found' } } })
  await admin.put('/v1/packs/goals', { enabled: true })
  t.match(await ada.get(goal), { status: 200 }, 'its data stayed')

  t.match(await admin.delete('/v1/packs/goals?dropData=true'), {
    status: 200,
    body: { data: { tables: ['goal'], migrations: ['0001-create-goal'] } }
  })
  await admin.put('/v1/packs/goals', { enabled: true })
  t.match(await ada.get(goal), { status: 404, body: { error: { message: 'Goal not found' } } })
  t.match(await create(), { status: 201 })
  t.match((await admin.get('/v1/packs/changes?pack=goals&limit=2')).body.data, [
    { action: 'enabled', migrations: ['0001-create-goal'] },
    { action: 'removed', outcome: 'applied', migrations: ['0001-create-goal'], toDigest: null }
  ])
})
