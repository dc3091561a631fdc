import { mkdir, readdir, rename, rm, stat, symlink, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { LoadFault } from '../faults.ts'
import type { Found, Loader } from './loader.ts'
import { createLoader } from './loader.ts'

const log = { warn() {} }

async function place(t: Parameters<typeof temporaryFolder>[0]) {
  const root = await temporaryFolder(t)
  const folder = join(root, 'packs')
  await mkdir(folder)
  const options = { folders: [folder], versions: join(root, 'data', 'packs'), log }
  const write = (name: string, files: Readonly<Record<string, string>>) =>
    writeFiles(join(folder, name), files)
  return { root, folder, options, loader: createLoader(options), write }
}

async function find(loader: Loader, name: string): Promise<Found> {
  const found = await loader.find(name)
  if (!found || found instanceof Error) throw found ?? new Error(`${name} was not found`)
  return found
}

const digestOf = async (loader: Loader, name: string) => loader.digest(await find(loader, name))

const reasonOf = async (loader: Loader, name: string) =>
  loader.load(await loader.find(name)).then(
    () => 'loaded',
    (error) => (error instanceof LoadFault ? error.message : `no fault: ${error}`)
  )

t.test('finds the subfolders with a pack.ts, also links; a name in two folders is a fault', async (t) => {
  const { root, folder, options, write } = await place(t)
  await write('one', { 'pack.ts': packText('one') })
  await write('two', { 'pack.ts': packText('two') })
  await write('not-a-pack', { 'README.md': '' })
  await writeFiles(join(root, 'elsewhere'), { 'pack.ts': packText('linked') })
  await symlink(join(root, 'elsewhere'), join(folder, 'linked'))
  await writeFiles(join(root, 'more', 'two'), { 'pack.ts': packText('two') })
  const folders = [folder, join(root, 'more'), join(root, 'missing'), folder]
  const packs = await createLoader({ ...options, folders }).scan()
  t.same([...packs.keys()].sort(), ['linked', 'one', 'two'])
  t.match(packs.get('two'), { message: 'lies in more than one folder of packs: packs, more' })
  t.match(await createLoader({ ...options, folders }).find('two'), { message: /in more than one folder/ })
  for (const name of ['three', '../more/two', '.', ''])
    t.equal(await createLoader({ ...options, folders }).find(name), undefined, name)
  t.same(packs.get('one'), { name: 'one', folder: join(folder, 'one') })
})

t.test('a version keeps its files when those of the original change', async (t) => {
  const { loader, write, options } = await place(t)
  const files = (version: string) => ({
    'pack.ts': packText('notes', `start: async () => { (await import('./lazy.ts')).check('${version}') }`),
    'lazy.ts': `import { readFileSync } from 'node:fs'
      export const asset = () => readFileSync(new URL('./asset.txt', import.meta.url), 'utf8')
      export const check = (wanted: string) => { if (asset() !== wanted) throw new Error(asset()) }`,
    'asset.txt': version,
    'migrations/0001-create-note.ts': `export const up = async (knex) => { knex.push('${version}') }
      export const down = async () => {}`
  })
  await write('notes', files('first'))
  const first = await loader.load(await find(loader, 'notes'))
  await write('notes', files('second'))
  const second = await loader.load(await find(loader, 'notes'))
  t.not(first.digest, second.digest)
  for (const [loaded, version] of [
    [first, 'first'],
    [second, 'second']
  ] as const) {
    t.equal(loaded.version, join(options.versions, `notes@${loaded.digest}`))
    await loaded.manifest.start?.({})
    const said: string[] = []
    await loaded.migrations[0]?.up(said as never)
    t.same(said, [version])
  }
})

t.test('the same digest gives the same modules and copies nothing', async (t) => {
  const { loader, options, write, folder } = await place(t)
  await write('notes', { 'pack.ts': packText('notes') })
  const found = await find(loader, 'notes')
  const [first, meanwhile] = await Promise.all([loader.load(found), loader.load(found)])
  const { ino } = await stat(join(first.version, 'pack.ts'))
  t.match(first.digest, /^[0-9a-f]{16}$/)
  const again = await createLoader(options).load(found)
  t.equal(meanwhile.manifest, first.manifest)
  t.equal(again.manifest, first.manifest)
  t.equal((await stat(join(again.version, 'pack.ts'))).ino, ino)
  t.same((await readdir(options.versions)).sort(), [basename(first.version), 'package.json'])
  await rm(join(folder, 'notes'), { recursive: true })
  await t.rejects(loader.load(found), { message: 'its files cannot be read (ENOENT)' })
})

t.test('several platforms of a process find a version at the same time', async (t) => {
  const { loader, options, write } = await place(t)
  await write('notes', { 'pack.ts': packText('notes') })
  const { version } = await loader.load(await find(loader, 'notes'))
  const loaders = Array.from({ length: 20 }, () => createLoader(options))
  const all = await Promise.all(loaders.map(async (one) => one.load(await find(one, 'notes'))))
  t.same([...new Set(all.map((found) => found.version))], [version])
  t.same((await readdir(version)).sort(), ['.origin', 'pack.ts'])
})

t.test('files of the pack’s authors, and its pages, belong to no version', async (t) => {
  const { loader, write } = await place(t)
  await write('notes', { 'pack.ts': packText('notes'), 'asset.txt': '1' })
  const digest = await digestOf(loader, 'notes')
  await write('notes', {
    'notes.test.ts': '',
    'test/notes.test.ts': '',
    'test/testbed.ts': '',
    'test/inner/server.ts': '',
    'README.md': '',
    'web/page.tsx': '',
    'web/inner/list.tsx': '',
    '.env': 'SECRET=1',
    '.hidden/a.ts': '',
    'node_modules/a/index.js': ''
  })
  const found = await find(loader, 'notes')
  t.equal(await loader.digest(found), digest)
  const copied = await readdir((await loader.load(found)).version, { recursive: true, withFileTypes: true })
  const files = copied.filter((entry) => entry.isFile()).map(({ name }) => name)
  t.same(files.sort(), ['.origin', 'asset.txt', 'pack.ts'])
  await write('notes', { 'asset.txt': '2' })
  const changed = await digestOf(loader, 'notes')
  t.not(changed, digest)
  await write('notes', { 'inner/web/page.tsx': '' })
  t.not(await digestOf(loader, 'notes'), changed, 'only the folder that the console builds is left out')
})

t.test(
  'the digest depends on paths and contents alone, and on where one ends and the next begins',
  async (t) => {
    const { loader, write } = await place(t)
    const digestWith = async (files: Readonly<Record<string, string>>) => {
      await rm(await write('notes', {}), { recursive: true, force: true })
      await write('notes', { ...files, 'pack.ts': '' })
      return digestOf(loader, 'notes')
    }
    const digest = await digestWith({ a: 'x', b: 'y' })
    t.equal(await digestWith({ b: 'y', a: 'x' }), digest)
    t.not(await digestWith({ a: 'xb', c: 'y' }), await digestWith({ a: 'x', bc: 'y' }))
    t.not(await digestWith({ a: 'y', b: 'x' }), digest)
  }
)

t.test('a copy finds npm packages where the original moved to', async (t) => {
  const { root, loader, write, folder, options } = await place(t)
  await write('notes', {
    'pack.ts': packText('notes'),
    'own.ts': `export { default } from 'only-here'`,
    'node_modules/only-here/index.js': 'module.exports = 42'
  })
  await loader.load(await find(loader, 'notes'))
  await rename(folder, join(root, 'moved'))
  const moved = createLoader({ ...options, folders: [join(root, 'moved')] })
  const { version } = await moved.load(await find(moved, 'notes'))
  t.equal((await import(pathToFileURL(join(version, 'own.ts')).href)).default, 42)
})

t.test('a link in a pack is refused: an old version would see what is new', async (t) => {
  const { folder, loader, write } = await place(t)
  await write('leaves', { 'pack.ts': packText('leaves'), 'a/file.ts': '' })
  await symlink('../../elsewhere', join(folder, 'leaves', 'a', 'link'))
  t.equal(await reasonOf(loader, 'leaves'), 'a/link is neither a file nor a folder')
})

t.test('what fails at import is a fault with file and line, without paths of this machine', async (t) => {
  const { root, loader, write } = await place(t)
  const cases: Readonly<Record<string, readonly [Record<string, string>, string | RegExp]>> = {
    throws: [
      {
        'pack.ts': `import './inner/thrower.ts'`,
        'inner/thrower.ts': `\nthrow new Error('no ${root}/x.ts for /v1/notes')`
      },
      'inner/thrower.ts:2: no x.ts for /v1/notes'
    ],
    syntax: [{ 'pack.ts': 'const a = 1\nconst b = ,' }, /^pack\.ts:2: \S/],
    types: [{ 'pack.ts': '\nenum A { B }' }, /^pack\.ts:2: TypeScript enum is not supported/],
    export: [
      { 'pack.ts': `import { no } from './other.ts'\nno()`, 'other.ts': 'export {}' },
      /^pack\.ts:1: .*'\.\/other\.ts' does not provide an export named 'no'/
    ],
    missing: [
      { 'pack.ts': `import './not-there.ts'` },
      `Cannot find module 'not-there.ts' imported from pack.ts`
    ],
    package: [
      { 'pack.ts': `import 'no-such-package'` },
      `Cannot find package 'no-such-package' imported from pack.ts`
    ],
    string: [{ 'pack.ts': `throw 'just\\nthis'` }, 'just this'],
    pending: [{ 'pack.ts': 'await new Promise(() => {})' }, 'import of pack.ts took more than 10 s'],
    manifest: [{ 'pack.ts': 'export const nothing = 1' }, 'pack.ts has no default export'],
    named: [
      { 'pack.ts': packText('named'), 'migrations/0001-init.ts': 'export const down = async () => {}' },
      'migrations/0001-init.ts must be named like 0001-verb-noun.ts'
    ],
    'no-way-back': [
      {
        'pack.ts': packText('no-way-back'),
        'migrations/0001-create-note.ts': 'export const up = async () => {}'
      },
      'migrations/0001-create-note.ts exports no function down'
    ]
  }
  for (const [name, [files]] of Object.entries(cases)) await write(name, files)
  for (const [name, [, reason]] of Object.entries(cases)) {
    const given = await reasonOf(loader, name)
    t.match(given, reason, name)
    t.notMatch(given, root, `${name} has no path`)
  }
})

t.test('a pack whose files changed can be loaded after it failed', async (t) => {
  const { loader, write } = await place(t)
  await write('notes', { 'pack.ts': 'throw new Error("not yet")' })
  t.equal(await reasonOf(loader, 'notes'), 'pack.ts:1: not yet')
  await write('notes', { 'pack.ts': packText('notes') })
  t.equal(await reasonOf(loader, 'notes'), 'loaded')
})

t.test('migrations come by name, in whatever way they are exported', async (t) => {
  const { loader, write } = await place(t)
  await write('notes', {
    'pack.ts': packText('notes'),
    'migrations/0002-add-title.ts': 'const up = async () => {}\nexport { up, up as down }',
    'migrations/0001-create-note.ts': 'export async function up() {}\nexport async function down() {}',
    'migrations/0001-create-note.test.ts': '',
    'migrations/data.json': '{}'
  })
  const { migrations } = await loader.load(await find(loader, 'notes'))
  t.same(
    migrations.map(({ name }) => name),
    ['0001-create-note', '0002-add-title']
  )
})

t.test('versions cannot lie below a node_modules', async (t) => {
  const { root, options } = await place(t)
  t.throws(() => createLoader({ ...options, versions: join(root, 'node_modules', 'x', 'packs') }), {
    message: /no TypeScript below node_modules\. Set DATA_DIR/
  })
})

t.test(
  'sweep removes old versions that are not in use, and keeps those in use for other processes',
  async (t) => {
    const { loader, write, options } = await place(t)
    const versions: string[] = []
    for (const text of ['used', 'old', 'fresh']) {
      await write('notes', { 'pack.ts': packText('notes'), 'text.txt': text })
      versions.push((await loader.load(await find(loader, 'notes'))).version)
    }
    const [used = '', old = '', fresh = ''] = versions
    const draft = await writeFiles(join(options.versions, '.copy-abandoned'), { 'pack.ts': '' })
    const weekAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000)
    for (const folder of [used, old, draft]) await utimes(folder, weekAgo, weekAgo)
    t.same((await loader.sweep(new Set([used]))).toSorted(), [draft, old].toSorted())
    t.same((await readdir(options.versions)).sort(), [basename(used), basename(fresh), 'package.json'].sort())
    t.same(await createLoader(options).sweep(new Set()), [], 'what was in use counts as touched')
  }
)

t.test('watch tells which pack changed, came or went', async (t) => {
  const { folder, loader, write } = await place(t)
  await write('notes', { 'pack.ts': packText('notes'), 'node_modules/a/index.js': '' })
  // Watching keeps no process alive, and neither does waiting for it.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const heard: string[] = []
  let wake = () => {}
  using _watcher = loader.watch((name) => {
    heard.push(name)
    wake()
  })
  async function after(change: () => Promise<unknown>, name: string) {
    heard.length = 0
    await change()
    while (!heard.includes(name))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    t.same([...new Set(heard)], [name])
  }
  await after(() => write('notes', { 'inner/new.ts': '' }), 'notes')
  await after(() => write('notes', { 'inner/new.ts': 'export {}' }), 'notes')
  await after(() => write('third', { 'pack.ts': packText('third') }), 'third')
  await after(() => write('third', { 'pack.ts': '' }), 'third')
  await after(async () => {
    await write('notes', { 'notes.test.ts': '', 'README.md': '', 'node_modules/a/index.js': 'x' })
    await write('notes', { 'web/page.tsx': 'export {}' })
    await rm(join(folder, 'third'), { recursive: true })
  }, 'third')
})
