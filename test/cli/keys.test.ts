// tier: whole
import t from 'tap'
import { preparedDataDir } from '../data-dir.ts'
import { caller, commands, platform } from './command.ts'

t.test('keys and projects, with two instances on one database', async (t) => {
  const DATA_DIR = await preparedDataDir(t)
  const { TEST_REDIS_URL: redis } = process.env
  const env = { DATA_DIR, ...(redis && { REDIS_URL: `${redis}/14` }) }
  const { call, printed, json } = commands(env)
  const [one, two] = await Promise.all([platform(t, env), platform(t, env)])

  t.match(await json('projects', 'create', 'shop', '--env', 'test'), { id: 'shop', environment: 'test' })
  t.match(await call('projects', 'create', 'shop'), { code: 1, err: 'There is a project shop already\n' })
  const projects: { id: string }[] = await json('projects', 'list')
  t.ok(projects.some(({ id }) => id === 'shop'))

  const scopes = 'agents:read,agents:run'
  const key = (
    await printed('keys', 'create', '--name', 'till', '--project', 'shop', '--scopes', scopes)
  ).trim()
  t.match(key, /^ap_test_/)
  const text = await printed('keys', 'list', '--project', 'shop')
  const keys = await json('keys', 'list', '--project', 'shop')
  t.match(keys, [
    { name: 'till', type: 'service', principal: /^svc_/, scopes: scopes.split(','), revokedAt: null }
  ])
  for (const shown of [text, JSON.stringify(keys)]) {
    t.ok(shown.includes(key.slice(0, 12)), 'its beginning tells it apart')
    t.notOk(shown.includes(key.slice(0, 14)), 'and is all that is shown')
  }

  // Believed by both from now on.
  const [first, second] = [caller(one.url, key), caller(two.url, key)]
  for (const ask of [first, second]) t.equal((await ask('/v1/agents')).status, 200)
  t.equal(await printed('keys', 'revoke', keys[0].id), `${keys[0].id} (till) is revoked\n`)
  for (const ask of [first, second]) t.equal((await ask('/v1/agents')).status, 401, 'at once')
  t.match(await json('keys', 'list', '--project', 'shop'), [{ lastUsedAt: String, revokedAt: String }])
  t.match(await call('keys', 'revoke', 'key_nobody'), { code: 1, out: '', err: 'Key key_nobody not found\n' })
  t.match(await call('keys', 'create', '--name', 'x', '--scopes', 'agents:fly'), {
    code: 2,
    err: /agents:fly/
  })

  // The owner of an agent is looked up where the agents are.
  const ada = (
    await printed('keys', 'create', '--name', 'ada', '--type', 'user', '--principal', 'ada')
  ).trim()
  const { data: agent } = await caller(one.url, ada)('/v1/agents', { name: 'Worker' })
  const own = (await printed('keys', 'create', '--name', 'worker', '--agent', String(agent.id))).trim()
  const me = await caller(one.url, own)('/v1/auth/me')
  t.match(me.data, { principalId: agent.id, principalType: 'agent', owner: 'ada' })
  const { status, data: made } = await caller(one.url, own)('/v1/agents', { name: 'Made by the worker' })
  t.match({ status, made }, { status: 201, made: { owner: 'ada' } })
  t.equal((await caller(one.url, ada)(`/v1/agents/${made.id}`)).status, 200, 'its owner reaches it')
  t.match(await call('keys', 'create', '--name', 'x', '--agent', 'agent_nope'), { code: 1, err: /not found/ })
  t.match(await call('keys', 'create', '--name', 'x', '--agent', String(agent.id), '--project', 'shop'), {
    code: 1
  })
  t.match(await call('keys', 'create', '--name', 'x', '--agent', String(agent.id), '--admin'), { code: 2 })
  t.match(await call('keys', 'create', '--name', 'x', '--type', 'agent'), { code: 2 })

  await one.stop()
  t.match(await json('status'), { url: two.url, ready: true }, 'the other one is found')
})
