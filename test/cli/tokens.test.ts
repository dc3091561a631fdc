import t from 'tap'
import { makeKey } from '../../kernel/identity/keys.ts'
import { temporaryFolder } from '../pack-folders.ts'
import { commands } from './command.ts'

const { key } = makeKey('ap_live_')
const dataDir = await temporaryFolder(t)
const holding = (PLATFORM_API_KEY: string) => commands({ DATA_DIR: dataDir, PLATFORM_API_KEY })

t.test('a key is narrowed, and a token further, without a platform', async (t) => {
  const before = Date.now()
  const list = ['--agents', 'agent_1,agent_2', '--hosts', 'Example.com', '--spend', '2.5']
  const token = (await holding(key).printed('token', 'narrow', '--expires', '12h', ...list)).trim()
  t.match(token, /^apn_[\w.-]+$/)
  const further = holding(token)
  const { token: sealed } = await further.json('token', 'narrow', '--tools', 'calculator', '--seal')
  const { blocks, sealed: isSealed } = await holding(sealed).json('token', 'inspect')
  t.equal(isSealed, true)
  t.match(blocks, [
    { agents: ['agent_1', 'agent_2'], hosts: ['example.com'], spend: '2.5' },
    { tools: ['calculator'] }
  ])
  const ends = Date.parse(blocks[0].expires)
  t.ok(ends >= before + 12 * 3_600_000 && ends <= Date.now() + 12 * 3_600_000)
  const shown = await further.printed('token', 'inspect')
  t.match(shown, /1 +agents +agent_1 agent_2/)
  t.match(shown, /may narrow it further/)
  t.match((await further.printed('token', 'seal')).trim(), /^apn_.*\.s[\w-]{86}$/)
})

t.test('what is wrong is said, and never what it was', async (t) => {
  const row = async (env: string, args: string[], said: RegExp) => {
    const { code, out, err } = await holding(env).call('token', ...args)
    t.match({ code, out, err }, { code: 2, out: '', err: said }, args.join(' '))
    t.notMatch(err, /ap_live_|apn_/)
  }
  await row('', ['narrow'], /No key or token/)
  await row('apt_secret', ['narrow'], /neither an API key nor a token/)
  await row('apn_secret', ['inspect'], /no token/)
  await row(key, ['inspect'], /no token/)
  await row(key, ['seal'], /Only a token/)
  await row(key, ['narrow', '--expires', 'soon'], /not a valid time/)
  await row('', ['narrow', key], /too many arguments/)
})
