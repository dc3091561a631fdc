// tier: whole
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createClient } from '../client.ts'
import { preparedDataDir } from '../data-dir.ts'
import type { Env } from './command.ts'
import { commands, platform } from './command.ts'
import { secretive } from './secretive.ts'

t.test('in production, by PLATFORM_SECRET_KEY', async (t) => {
  const [old, next, foreign] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'))
  const common: Env = {
    DATA_DIR: await preparedDataDir(t),
    NODE_ENV: 'production',
    DEPLOYMENT: 'test',
    OUTGOING_ALLOW: '127.0.0.1'
  }
  const withKey = (...keys: readonly (string | undefined)[]): Env => ({
    ...common,
    PLATFORM_SECRET_KEY: keys.join()
  })
  const secrets = await secretive(t)
  t.match(await commands(common).call('secrets', 'rotate'), {
    code: 1,
    err: /PLATFORM_SECRET_KEY is required/
  })

  const running = await platform(t, withKey(old))
  const key = (await commands(withKey(old)).printed('keys', 'create', '--name', 'x', '--admin')).trim()
  await secrets.set(createClient(running.url, 'admin', key))
  await secrets.setOf(createClient(running.url, 'admin', key), 'secret-of-the-project')
  await running.stop()

  const lost = await commands(withKey(foreign)).call('secrets', 'rotate', '--json')
  t.equal(lost.code, 1)
  t.match(JSON.parse(lost.out), { changed: 0, keys: 1 })
  t.match(lost.err, /\d stored keys? cannot be decrypted/)

  const both = commands(withKey(next, old))
  const { changed, ...rest } = await both.json('secrets', 'rotate')
  t.ok(changed >= 2, 'of the platform itself and of the project')
  t.strictSame(rest, { source: 'environment', lost: 0, keys: 2 })
  t.strictSame(await both.json('secrets', 'rotate'), { changed: 0, ...rest }, 'and nothing twice')
  const said = await both.printed('secrets', 'rotate')
  t.match(said, '0 stored keys wrapped anew')
  t.notOk(said.includes(next as string))

  const after = await platform(t, withKey(next))
  t.strictSame(await secrets.keys(createClient(after.url, 'admin', key)), [
    'Bearer secret-of-the-operator',
    'Bearer secret-of-the-project'
  ])
})
