// tier: whole
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { checkout } from '../../test/documents/checkout.ts'
import type { Ended } from '../../test/documents/tools.ts'
import { runNode, runTool } from '../../test/documents/tools.ts'
import { temporaryFolder, writeFiles } from '../../test/pack-folders.ts'
import specified from '../../test/specification/routes.json' with { type: 'json' }
import { createPack } from './create.ts'
import { areas } from './names.ts'
import { arrange } from './tables.ts'
import { singular } from './words.ts'

// Types, who imports whom, the tests of all packs, and a pack in another folder: these are tried where
// docs/write-a-pack.md is followed.
t.setTimeout(900_000)

t.test('a row of a pack is called what one of them is called', async (t) => {
  const nouns = {
    notes: 'note',
    categories: 'category',
    boxes: 'box',
    addresses: 'address',
    statuses: 'status',
    houses: 'house',
    branches: 'branch',
    'meeting-notes': 'meeting-note',
    people: 'person',
    weather: 'weather',
    status: 'status'
  }
  t.same(Object.fromEntries(Object.keys(nouns).map((name) => [name, singular(name)])), nouns)
})

t.test('names that will not do are refused in a line', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), { 'letters/notes.txt': '' })
  const refused = {
    '': ': a name is words of small letters joined by -, such as meeting-notes',
    Notes: 'Notes: a name is words of small letters joined by -, such as meeting-notes',
    'notes-2': 'notes-2: a name is words of small letters joined by -, such as meeting-notes',
    '../notes': '../notes: a name is words of small letters joined by -, such as meeting-notes',
    'notes-': 'notes-: a name is words of small letters joined by -, such as meeting-notes',
    ['n'.repeat(40)]: `${'n'.repeat(40)}: a name has 39 letters at most`,
    kernel: 'kernel: the name kernel is reserved',
    changes: 'changes: the name changes is reserved',
    public: 'public: the name public is reserved',
    'pg-catalog': 'pg-catalog: the name pg-catalog is reserved',
    tasks: 'tasks: /v1/tasks belongs to the platform; choose another name',
    letters: `letters: there is such a folder in ${folder} already`,
    classes: 'classes: a row of it would be called class, which JavaScript has for itself',
    maps: 'maps: a row of it would be called map, which JavaScript has for itself',
    pages: 'pages: every pack has something called Page already; choose another name',
    latencies: 'latencies: Latency is a shape of packs already; choose another name'
  }
  for (const [name, message] of Object.entries(refused))
    await t.rejects(createPack(name, { folder }), { message })
  await t.rejects(createPack('jobs', { folder }), {
    message: /^jobs: there is such a folder in .*plugins already$/
  })
  t.same(await readdir(folder), ['letters'], 'and nothing is left of them')
})

t.test('the areas of the platform are those that are specified', async (t) => {
  const used = specified
    .map(({ path }) => /^\/v1\/([^/]+)/.exec(path)?.[1])
    .filter((area) => area !== undefined)
  t.same([...areas].sort(), [...new Set([...used, 'packs'])].sort())
})

t.test('what was a table is one again after the names in it changed', async (t) => {
  const text = '| a | name |\n| --- | --- |\n| longer | b |\n\n- **Note** x\n- **NewNote** y\n'
  t.equal(
    arrange(text),
    '| a      | name |\n| ------ | ---- |\n| longer | b    |\n\n- **NewNote** y\n- **Note** x\n'
  )
})

t.test('a new pack passes what every pack here passes', async (t) => {
  const names = ['ox', 'meeting-notes']
  const folder = await checkout(t)
  for (const name of names) passes(t, await make(folder, name, 'plugins'), `${name} is made`)
  t.match(await readFile(join(folder, 'plugins/meeting-notes/pack.ts'), 'utf8'), `name: 'meeting-notes'`)
  t.same((await readdir(join(folder, 'plugins/meeting-notes'), { recursive: true })).sort(), [
    'README.md',
    'contract.ts',
    'migrations',
    'migrations/0001-create-meeting-note.ts',
    'pack.ts',
    'routes.ts',
    'schemas.ts',
    'service.ts',
    'surface.md',
    'test',
    'test/meeting-notes.test.ts'
  ])

  const places = names.map((name) => join('plugins', name))
  const tool = (pack: string, program: string, ...args: string[]) =>
    runTool(folder, folder, pack, program, args)
  passes(t, await tool('@biomejs/biome', 'biome', 'check', ...places), 'biome')
  const tests = names.map((name) => `plugins/${name}/test/${name}.test.ts`)
  const options = ['--disable-coverage', '--reporter=tap', '--jobs=2', '--timeout=600']
  passes(t, await tool('tap', 'tap', ...options, ...tests), 'their own tests')
})
function make(clone: string, name: string, folder: string): Promise<Ended> {
  const create = JSON.stringify([name, { folder }]).slice(1, -1)
  const script = `import { createPack } from './cli/new-pack/create.ts'; await createPack(${create})`
  return runNode(clone, clone, [
    '--import',
    './kernel/packs/loader/modules.ts',
    '--input-type=module',
    '--eval',
    script
  ])
}

/** Its output is shown where it failed. */
function passes(t: Pick<Test, 'equal'>, { status, output }: Ended, what: string) {
  t.equal(status, 0, what, { output: status === 0 ? '' : output })
}
