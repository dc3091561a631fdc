// tier: whole
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { temporaryFolder } from '../../test/pack-folders.ts'
import { buildClient } from './build.ts'
import { oldNode, stage } from './testbed.ts'

const execute = promisify(execFile)

/** The samples of the README as one program, each in a scope of its own behind the one that creates the client. */
async function samples(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const [first = '', ...others] = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  t.ok(others.length >= 3)
  return [first, ...others.map((code) => `{\n${code}}\n`)].join('\n')
}

const folder = await temporaryFolder(t)
const built = join(folder, 'built')
const installed = join(folder, 'node_modules/agent-platform-client')
const source = await samples()

t.before(async () => {
  await buildClient(built)
  await execute('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await mkdir(installed, { recursive: true })
  await execute('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies))
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'samples.ts'), source)
})

t.test('the package is as publishers want it', async (t) => {
  const { messages, pkg } = await publint({ pkgDir: built, strict: true, pack: 'npm' })
  t.same(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    []
  )
  const files = await readdir(installed)
  for (const name of ['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'api.d.ts'])
    t.ok(files.includes(name), name)
  t.match(
    files.filter((name) => /test|\.ts$/.test(name) && !name.endsWith('.d.ts')),
    []
  )
  t.notOk(pkg.private)
})

t.test('its types are there for those who install it, the samples’ too', async (t) => {
  const environment = 'declare const process: { env: Record<string, string | undefined> }\n'
  await writeFile(join(folder, 'environment.d.ts'), environment)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    types: []
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  for (const resolution of [
    { module: 'nodenext', moduleResolution: 'nodenext', skipDefaultLibCheck: true },
    { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }
  ]) {
    const config = { compilerOptions: { ...compilerOptions, ...resolution }, include: ['*.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await execute(process.execPath, [tsc, '-p', folder]).catch((error) => error)
    t.equal(stdout, '', resolution.module)
  }
})

t.test('it runs on plain Node, as the samples say', async (t) => {
  const { booted, key } = await stage(t, { packs: ['tasks', 'files', 'spaces'] })
  const node = await oldNode()
  t.comment((await execute(node, ['--version'])).stdout)
  t.notMatch(source, /: string\b|\bas\b|interface /, 'the samples are JavaScript as well')
  await writeFile(join(folder, 'samples.mjs'), source.replace('http://127.0.0.1:3000', booted.url))
  const env = { PATH: process.env.PATH, PLATFORM_API_KEY: key }
  const { stdout, stderr } = await execute(node, ['samples.mjs'], { cwd: folder, env })
  t.equal(stderr, '')
  t.match(
    stdout,
    /^Ada\n(agent_\w+ Ada\n)+completed Hello\nfile_\w+ [0-9a-f]{64}\n400 invalid_request_error \/name req_\w+\n/
  )
  t.match(stdout, /(?:\bword ?\n?)+tokens: \d+\nagain: final\n(status\n)+completed\nAhoy\n4\n2 true\n$/)
})
