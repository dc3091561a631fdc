import { readdir } from 'node:fs/promises'
import t from 'tap'
import { temporaryFolder } from '../pack-folders.ts'
import { begin, commands } from './command.ts'

t.test('what is written wrongly is told in one line, with 2, and touches nothing', async (t) => {
  const DATA_DIR = await temporaryFolder(t)
  const { call } = commands({ DATA_DIR })
  const wrong: [args: string[], told: RegExp][] = [
    [['pcaks', 'list'], /unknown command 'pcaks'.*packs/],
    [['keys', 'list', '--jsn'], /unknown option '--jsn'.*--json/],
    [['packs', 'remove', 'goals'], /--yes goals/],
    [['packs', 'remove', 'goals', '--yes', 'gaols'], /does not name goals/],
    [['packs', 'list', '--url', 'http://127.0.0.1:1'], /PLATFORM_API_KEY/],
    [['keys', 'list', '--url', 'http://127.0.0.1:1'], /database/]
  ]
  const asProcess = (...args: string[]) => begin(t, { DATA_DIR }, args).done
  for (const [n, [args, told]] of wrong.entries()) {
    const { code, out, err } = await (n === 0 ? asProcess : call)(...args)
    t.strictSame([code, out], [2, ''], args.join(' '))
    t.match(err, told)
    t.match(err, /^[^\n]+\n$/, 'one line')
  }
  t.strictSame(await readdir(DATA_DIR), [])
})

t.test('every command says what it is for, with examples and without colours', async (t) => {
  const { call, printed } = commands({ FORCE_COLOR: '1' })
  const { out: whole, code } = await begin(t, { FORCE_COLOR: '1' }, ['--help']).done
  t.equal(code, 0)
  t.match(whole, /Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted/)
  t.notMatch(whole, '\u001b')
  for (const noun of [
    'status',
    'doctor',
    'keys',
    'projects',
    'packs',
    'secrets',
    'agents',
    'run',
    'provenance',
    'runs'
  ])
    t.match(whole, new RegExp(`^  ${noun}\\b`, 'm'))
  t.match(await printed('packs', 'remove', '--help'), /Examples:\n {2}npm run -s platform -- packs remove/)
  t.match(await call(), { code: 2, out: '', err: /Usage:/ })
})

t.test('a platform elsewhere that does not answer', async (t) => {
  const env = { PLATFORM_URL: 'http://127.0.0.1:1/', PLATFORM_API_KEY: 'ap_live_nobody' }
  const { call } = commands(env)
  t.match(await call('status'), {
    code: 1,
    out: '',
    err: /^http:\/\/127\.0\.0\.1:1 cannot be reached: [^\n]+\n$/
  })
  t.match(await call('agents', 'list'), { code: 1, out: '', err: /^[^\n]*127\.0\.0\.1:1[^\n]*\n$/ })
})

t.test('a database that does not answer', async (t) => {
  const DATABASE_URL = 'postgres://ada:hunter2@127.0.0.1:1/nowhere'
  const { call } = commands({ DATABASE_URL, DATA_DIR: await temporaryFolder(t) })
  for (const args of [
    ['keys', 'list'],
    ['packs', 'list']
  ]) {
    const { code, out, err } = await call(...args)
    t.match({ code, out }, { code: 1, out: '' }, args.join(' '))
    t.match(err, /^The database cannot be reached: [^\n]+\n$/)
    t.notMatch(err, 'hunter2')
  }
})
