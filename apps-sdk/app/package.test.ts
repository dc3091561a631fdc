// budget: 15 s, because this package and the client are compiled, and then its command makes and tests an app
// tier: whole
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { temporaryFolder } from '../../test/pack-folders.ts'
import { buildClient } from '../client/build.ts'
import { oldNode } from '../client/testbed.ts'
import { buildApp } from './build.ts'

const execute = promisify(execFile)

const folder = await temporaryFolder(t)
const built = join(folder, 'built')
const modules = join(folder, 'node_modules')
const installed = join(modules, 'agent-platform-app')

t.before(async () => {
  await buildClient(join(modules, 'agent-platform-client'))
  await buildApp(built)
  await execute('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await mkdir(installed, { recursive: true })
  await execute('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  for (const name of ['agent-platform-app', 'agent-platform-client']) {
    const { dependencies } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'))
    for (const needed of Object.keys(dependencies)) {
      await mkdir(dirname(join(modules, needed)), { recursive: true })
      // The client is there already, and one of theirs may be needed by both.
      await symlink(join(root, 'node_modules', needed), join(modules, needed)).catch((error) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})

t.test('the package is as publishers want it', async (t) => {
  const { messages, pkg } = await publint({ pkgDir: built, strict: true, pack: 'npm' })
  t.same(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    []
  )
  t.notOk(pkg.private)
  const files = await readdir(installed, { recursive: true })
  for (const name of ['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'manifest.schema.json'])
    t.ok(files.includes(name), name)
  t.same(
    files.filter(
      (name) => !name.startsWith('template') && (/test\.|testbed/.test(name) || /(?<!\.d)\.ts$/.test(name))
    ),
    []
  )
})

t.test('what it exports loads on plain Node from the built files', async (t) => {
  const node = await oldNode()
  t.comment((await execute(node, ['--version'])).stdout)
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((name) => !/\.(?:json|css)$/.test(name))
  const names = entries.map((name) => join('agent-platform-app', name))
  const program = `for (const name of ${JSON.stringify(names)})
    console.log(name, import.meta.resolve(name).startsWith(${JSON.stringify(`file://${installed}/`)}), Object.keys(await import(name)).join())`
  await writeFile(join(folder, 'load.mjs'), program)
  const { stdout, stderr } = await execute(node, ['load.mjs'], { cwd: folder })
  t.equal(stderr, '')
  const lines = stdout.trim().split('\n')
  t.equal(lines.length, entries.length)
  const wanted = {
    '': 'defineApp',
    '/page': 'connectPage',
    '/host': 'showPage',
    '/testing': 'testApp',
    '/manifest': 'checkManifest',
    '/grants': 'permits',
    '/limits': 'packageLimits'
  }
  t.same(
    names.toSorted(),
    Object.keys(wanted)
      .map((name) => `agent-platform-app${name}`)
      .sort()
  )
  for (const [name, value] of Object.entries(wanted))
    t.match(stdout, new RegExp(`^agent-platform-app${name} true .*\\b${value}\\b`, 'm'))
})

t.test('its command makes an app that it finds nothing wrong with, whose test passes', async (t) => {
  const node = await oldNode()
  const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const command = join(installed, bin['agent-platform-app'])
  const run = (...args: string[]) =>
    execute(node, [command, ...args], { cwd: folder, env: { PATH: process.env.PATH } })
  t.match(await run('create', 'greeter'), { stdout: /Greeter is in greeter/, stderr: '' })
  const checked = await run('check', 'greeter')
  t.match(checked.stdout, /^greeter 0\.1\.0\n {2}function greet\n/)
  t.notMatch(checked.stdout, /error/)
  const tested = await execute(node, ['--test', 'test/app.test.js'], { cwd: join(folder, 'greeter') })
  t.match(tested.stdout, /pass 2\n/)
})
