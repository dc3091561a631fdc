import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { oldNode } from '../../apps-sdk/client/testbed.ts'
import { root } from '../../kernel/deployment.ts'
import { readSettings } from '../../kernel/settings.ts'
import { greeting } from '../../process/greeting.ts'
import { boot } from '../boot.ts'
import { childEnvironment } from '../shared-folder.ts'

const execute = promisify(execFile)
const folder = join(root, 'examples')

const { platform, url, dataDir, as } = await boot(t)
const { settings } = readSettings({ DATA_DIR: dataDir })
const log = pino({ level: 'silent' })
// Makes the key of the developer and the agent `welcome`, as `npm start` does.
await greeting({ platform, settings, url, version: '0.0.0-test', where: undefined, isTerminal: false, log })

/** What a program prints, begun as the README says. */
async function printed(name: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const env = {
    ...childEnvironment(),
    HOME: process.env.HOME,
    PLATFORM_URL: url,
    DATA_DIR: dataDir,
    ...more
  }
  const file = join('examples', name)
  const isModule = name.endsWith('.mjs')
  const [program, first] = isModule ? [await oldNode(), []] : ['npm', ['run', '-s', 'example']]
  const end = isModule || args.length === 0 ? [] : ['--']
  const { stdout } = await execute(program, [...first, ...end, file, ...args], { cwd: root, env })
  return stdout
}

const answer = /^I can help with your first steps here: .+\n\(\d+ tokens, run_\w+\)\n$/
const outputs: Readonly<Record<string, RegExp>> = {
  'first-run-fetch.mjs': answer,
  'first-run.ts': answer,
  'resume.ts':
    /^tick( tick)*\n-- left after event (\d+); the run goes on without us --\n( tick)+\n-- ended with event \d+: 30 words --\n$/,
  'caller-tool.ts': /^list_examples\(\{\}\) is asked for, until \d{4}-.*\n.*"first-run.ts".*\n$/s
}

t.test('each example does what it says, with nothing but the platform beside it', async (t) => {
  const programs = (await readdir(folder)).filter((name) => /\.m?[jt]s$/.test(name) && name !== 'platform.ts')
  t.same(programs.sort(), Object.keys(outputs).sort())
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  for (const [name, output] of Object.entries(outputs)) {
    t.match(
      readme,
      name.endsWith('.mjs') ? `\nnode examples/${name}\n` : `\nnpm run -s example examples/${name}\n`
    )
    const text = await printed(name)
    t.match(text, output, name)
    if (name === 'resume.ts') t.equal(text.match(/tick/g)?.length, 30, 'each word once')
  }
})

t.test('an agent and a key may be given', async (t) => {
  const ada = as('ada', { project: 'other' })
  const { id } = await ada.agent({
    name: 'Ada',
    instructions: 'Ada lives in London.',
    modelProvider: 'local'
  })
  const given = { PLATFORM_API_KEY: await ada.key(), DATA_DIR: '/nowhere' }
  for (const name of ['first-run-fetch.mjs', 'first-run.ts'])
    t.match(await printed(name, [id, 'Where does Ada live?'], given), /^Ada lives in London\.\n\(/, name)
  t.equal((await ada.get('/v1/agents')).body.data.length, 1, 'nothing was created')
})
