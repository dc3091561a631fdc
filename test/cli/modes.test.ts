// tier: whole
import t from 'tap'
import { preparedDataDir } from '../data-dir.ts'
import { commands, platform } from './command.ts'

t.test('without authentication, on loopback', async (t) => {
  const env = { DATA_DIR: await preparedDataDir(t), API_AUTH_REQUIRED: 'false' }
  const { call, json } = commands(env)
  await platform(t, env)
  t.match(await json('packs', 'show', 'goals'), { status: 'running' })
  t.match(await call('projects', 'create', 'shop'), { code: 0 })
  const other = await call('agents', 'list', '--project', 'shop')
  t.match(other, { code: 2, out: '', err: /default, not shop/ }, 'everyone is in one project')
})

t.test('in production, running and stopped', async (t) => {
  const env = {
    DATA_DIR: await preparedDataDir(t),
    NODE_ENV: 'production',
    PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64')
  }
  const { call, json } = commands(env)
  t.match(await json('packs', 'show', 'docs'), { status: 'off' })
  const { stop } = await platform(t, env)
  t.match(await json('packs', 'changes', '--limit', '1'), [{ actor: 'platform', action: 'installed' }])
  await stop()
  const lacking = commands({ ...env, PLATFORM_SECRET_KEY: '' })
  t.match(await lacking.call('packs', 'list'), {
    code: 1,
    out: '',
    err: /^PLATFORM_SECRET_KEY is required[^\n]+\n$/
  })
  t.match(await call('keys', 'list'), { code: 0 })
})
