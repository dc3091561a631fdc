import t from 'tap'
import { folderFor } from '../embedded.ts'
import { caller, commands, platform } from './command.ts'

t.test('keys and projects, with two instances on one database', async (t) => {
  const DATA_DIR = folderFor(t)
  const { TEST_REDIS_URL: redis } = process.env
  const env = { DATA_DIR, ...(redis && { REDIS_URL: `${redis}/14` }) }
  const { call, printed, json } = commands(t, env)
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

  await one.stop()
  t.match(await json('status'), { url: two.url, ready: true }, 'the other one is found')
})
