// budget: 12 s, because an app is bundled, tested in a process of its own and registered
// tier: whole
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { boot } from '../../test/boot.ts'
import { checkApp } from './src/command/check.ts'
import { wordsOf } from './src/command/logs.ts'
import { developing, edit, stage } from './testbed.ts'

const execute = promisify(execFile)

t.test('a new app is created, and its own tests and check pass', async (t) => {
  const { folder, run } = await stage(t)
  t.match(await run('create', 'greeter'), { code: 0, text: /Greeter is in greeter/ })
  const app = join(folder, 'greeter')
  t.match(await readFile(join(app, '.gitignore'), 'utf8'), /node_modules/)
  t.match(JSON.parse(await readFile(join(app, 'package.json'), 'utf8')), { name: 'greeter', type: 'module' })
  const { stdout } = await execute(process.execPath, ['--test', 'test/app.test.js'], { cwd: app })
  t.match(stdout, /pass 2\n/)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = await execute(process.execPath, [tsc, '-p', app]).catch((error) => error)
  t.equal(types.stdout, '')
  const { code, text } = await run('check', 'greeter')
  t.equal(code, 0)
  t.match(
    text,
    /^greeter 0\.1\.0\n {2}function greet\n {2}page main\n {2}uses agents\.read: Reads the agents/m
  )
  t.notMatch(text, /error|note/)

  t.match(await run('create', 'greeter'), { code: 1, text: /not empty/ })
  t.match(await run('create', 'No Id'), { code: 1, text: /no id of an app/ })
  t.match(await run('check', 'none'), { code: 1, text: /no src\/app\.ts/ })
  t.match(await run('unheard'), { code: 1, text: /unknown command/ })
})

t.test('check tells what code and manifest do not agree on', async (t) => {
  const { folder, run } = await stage(t)
  await run('create', 'greeter')
  const app = join(folder, 'greeter')
  const change = edit(join(app, 'src/app.ts'))
  const cases: readonly [string, string, RegExp][] = [
    ['platform.agents.read(', 'platform.goals.list(', /error: the code uses goals\.list/],
    [
      'console.log(',
      'await fetch("https://evil.example/"); console.log(',
      /error: the code talks to evil\.example/
    ],
    ['storage: { keyValue: true },', '', /error: the code uses storage\.get/],
    [
      'platform.agents.read({ agentId: about.agentId })',
      '{ name: key }',
      /note: the manifest asks for agents\.read/
    ],
    ["version: '0.1.0'", "version: 'one'", /error: \/version .*semver/],
    ['async greet(', 'async other(', /error: \/functions\/0\/name is greet, which the code does not have/],
    [
      'import * as Type',
      "import { readFile } from 'node:fs'\nreadFile\nimport * as Type",
      /Could not resolve "node:fs"/
    ],
    ['export default', "throw new Error('broken')\nexport default", /does not load: broken/],
    ['pages/main.html', 'pages/other.html', /is pages\/other\.html, which is not among the files/]
  ]
  for (const [from, to, wanted] of cases) {
    const undo = await change(from, to)
    const lines: string[] = []
    const isSound = await checkApp(app, (line) => lines.push(line)).catch(
      (error) => lines.push(error.message) === 0
    )
    t.match(lines.join('\n'), wanted, to)
    t.equal(isSound, wanted.source.startsWith('note'))
    await undo()
  }
})

t.test('a line of a log has nothing in it that a terminal obeys', (t) => {
  const line = {
    id: 'app_log_1',
    at: '2026-01-31T09:00:00.000Z',
    level: 'warn',
    kind: 'refusal',
    source: 'page',
    version: '0.1.0',
    callerId: 'user_1',
    function: null,
    method: 'agents.\u009bread',
    code: 'not_found',
    text: 'a\tb\u001b[2J\r\n12:00:00 info\rc\u2028\u200dd'
  } as const
  t.match(
    wordsOf(line),
    /^\d\d:\d\d:\d\d warn {2}page agents\.\\u\{9b\}read not_found: a\tb\\u\{1b\}\[2J\n {4}\| 12:00:00 info\\u\{d\}c\\u\{2028\}\\u\{200d\}d$/
  )
  t.end()
})

t.test('a version is published, and while it is developed each change is on the platform', async (t) => {
  const booted = await boot(t, 'ui-plugins', 'sandbox', 'app-storage')
  const ada = booted.as('ada')
  const { folder, run } = await stage(t, { url: booted.url, key: await ada.key() })
  await run('create', 'greeter')
  const published = await run('publish', 'greeter')
  t.match(published, { code: 0, text: /greeter 0\.1\.0 is registered: draft\nIt asks for:\n {2}\w+ risk: / })
  t.match(await run('publish', 'greeter'), { code: 0 }, 'the same again')
  const change = edit(join(folder, 'greeter/src/app.ts'))
  await change('`Hello ', '`Welcome ')
  t.match(await run('publish', 'greeter'), { code: 1, text: /version_exists/ })
  t.match(await run('publish', 'greeter', '--key-file', 'none'), { code: 1, text: /key cannot be read/ })
  await writeFile(join(folder, 'key'), 'ap_test_wrong')
  t.match(await run('publish', 'greeter', '--key-file', 'key'), { code: 1, text: /The platform says/ })

  const greet = async () => {
    const { body } = await ada.post('/v1/ui-plugins/greeter/gateway', {
      method: 'functions.call',
      params: { name: 'greet', input: { name: 'Grace' } }
    })
    return body.data?.text ?? body
  }
  const grants = { capabilities: [{ name: 'agents.read' }], hosts: [] }
  await ada.put('/v1/ui-plugins/greeter/status', { status: 'enabled', grants })
  t.equal(await greet(), 'Hello Grace!')

  const dev = await developing(t, join(folder, 'greeter'), { url: booted.url, key: await ada.key() })
  const page = await dev.line(/page main: (http\S+)#main/)
  const greeted = () => dev.line(/^\d\d:\d\d:\d\d info {2}greet: greeted for the (\d)\. time$/)
  t.equal(await greet(), 'Welcome Grace!')
  t.equal(await greeted(), '2', 'what was logged before is not printed')
  await change('`Welcome ', '`Good day ')
  await dev.line(/reloaded as 0\.1\.0-dev\./)
  t.equal(await greet(), 'Good day Grace!')
  t.equal(await greeted(), '3', 'each line is printed once')
  await change('`greeted for', '`\\u202egreeted\\nreloaded')
  await dev.line(/^reloaded as/)
  await greet()
  await dev.line(/ greet: \\u\{202e\}greeted$/)
  await dev.line(/^ {4}\| reloaded the 4\. time$/)
  await change("version: '0.1.0'", "version: 'one'")
  await dev.line(/not reloaded: .*version/)
  t.equal(await greet(), 'Good day Grace!')

  const asked = { method: 'functions.call', params: { name: 'greet', input: { name: 'Ida' } } }
  const post = (url: string, headers = {}) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(asked),
      headers: { 'content-type': 'application/json', ...headers }
    })
  t.match(await (await post(`${page}gateway`)).json(), { data: { text: 'Good day Ida!', times: 1 } })
  t.equal((await post(`${new URL(page).origin}/gateway`)).status, 404, 'without the secret')
  t.equal(
    (await post(`${page}gateway`, { 'content-type': 'text/plain' })).status,
    404,
    'as a form of another site could'
  )
  t.match(await (await fetch(`${page}host.js`)).text(), /sandbox/)

  t.equal((await ada.delete('/v1/ui-plugins/greeter')).status, 200)
  await dev.line(/^its log cannot be read: /)
  await change("version: 'one'", "version: '0.2.0'")
  t.equal(await dev.line(/(cannot be read|reloaded)/), 'reloaded', 'that is said once')
  await greet()
  await dev.line(/ greet: \\u\{202e\}greeted$/)
})
