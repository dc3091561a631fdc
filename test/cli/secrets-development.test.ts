// tier: whole
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { createClient } from '../client.ts'
import { preparedDataDir } from '../data-dir.ts'
import type { Env } from './command.ts'
import { begin, commands, platform } from './command.ts'
import { dataDir, secretive } from './secretive.ts'

t.test('in development, while the platform runs', async (t) => {
  const none = await dataDir(t)
  const never = await commands({ DATA_DIR: none }).call('secrets', 'rotate')
  t.match(never, { code: 1, out: '', err: /There is no .*secret-key yet/ })
  t.throws(() => readdirSync(none), { code: 'ENOENT' }, 'and nothing was made')

  const DATA_DIR = await preparedDataDir(t)
  const env: Env = { DATA_DIR, OUTGOING_ALLOW: '127.0.0.1' }
  const fileKeys = () => readFileSync(join(DATA_DIR, 'secret-key'), 'utf8').trim().split(',')
  const { json, printed } = commands(env)
  const secrets = await secretive(t)

  const running = await platform(t, env)
  const keyOf = async (...options: string[]) =>
    (await printed('keys', 'create', '--name', 'x', ...options)).trim()
  const [key, keyOfLater] = [await keyOf('--admin'), await keyOf('--project', 'later')]
  const admin = createClient(running.url, 'admin', key)
  await secrets.set(admin)
  await secrets.setOf(admin, 'secret-of-the-project')
  const known = ['Bearer secret-of-the-operator', 'Bearer secret-of-the-project']
  t.strictSame(await secrets.keys(admin), known)

  const [old] = fileKeys()
  t.match(await json('secrets', 'rotate'), { source: 'file', changed: Number, lost: 0, keys: 1 })
  const [first, ...others] = fileKeys()
  t.not(first, old)
  t.strictSame(others, [])
  t.strictSame(await secrets.keys(admin), known, 'it goes on')
  await secrets.setOf(createClient(running.url, 'later', keyOfLater), 'secret-of-later')

  // Killed just after both keys were in the file, and once more when the first stored key was changed.
  const stops = { NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'test/stops.ts'))}`, STOP: 'issued' }
  for (const STOP_AT of ['2', '3']) {
    const killed = begin(t, { ...env, ...stops, STOP_AT }, ['secrets', 'rotate'])
    await killed.done
    t.equal(killed.child.signalCode, 'SIGKILL')
    t.equal(fileKeys().length, 2)
  }
  await running.stop()

  const again = await platform(t, env)
  const after = createClient(again.url, 'admin', key)
  t.strictSame(await secrets.keys(after), known, 'also after kills and a restart')
  t.match((await after.get('/v1/packs/models')).body.data, { status: 'running' })
  t.match(await json('secrets', 'rotate'), { lost: 0, keys: 1 }, 'which the next one finishes')
  t.strictSame(
    await secrets.keys(createClient(again.url, 'later', keyOfLater)),
    [known[0], 'Bearer secret-of-later'],
    'what was made between rotations, too'
  )
  const { checks } = await commands({ ...env, PORT: '0' }).json('doctor')
  const found = checks.find(({ check }: { check: string }) => check === 'master key')
  t.match(found, { status: 'ok', found: /all of them opened by the first one/ }, 'by who starts now')

  const said = running.output() + again.output()
  for (const key of [old, first, ...fileKeys(), 'secret-of-the-operator', 'secret-of-the-project'])
    t.notOk(said.includes(key as string), 'nothing of it is logged')
  t.notMatch(said, /lacks the master key/)
})
