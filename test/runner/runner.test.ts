import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { select as selectAffected } from './changed.ts'
import type { TestFile } from './files.ts'
import { findTestFiles, parseTestFile, TIERS } from './files.ts'
import { byDuration, QUARTERS, quarterOf, select, takeFiles, writePlan } from './plan.ts'

const files = findTestFiles()
const paths = (chosen: readonly TestFile[]) => chosen.map(({ path }) => path)

t.test('a test file declares its tier in its header; the default is main', async (t) => {
  t.equal(parseTestFile('plugins/a/a.test.ts', "import t from 'tap'\n").tier, 'main')
  t.equal(parseTestFile('plugins/a/a.test.ts', "// tier: whole\nimport t from 'tap'\n").tier, 'whole')
  t.equal(parseTestFile('plugins/a/a.test.ts', "import t from 'tap'\n// tier: whole\n").tier, 'main')
  t.throws(() => parseTestFile('plugins/a/a.test.ts', "// tier: nightly\nimport t from 'tap'\n"), /nightly/)
  t.throws(() => parseTestFile('plugins/a/a.test.ts', "// tier: long\n// tier: whole\nimport t from 'tap'\n"))
})

t.test('a file of its own process, of servers or of the tier long runs in its own process', async (t) => {
  const isAlone = (header: string, path = 'plugins/a/a.test.ts') =>
    parseTestFile(path, `${header}import t from 'tap'\n`).isAlone
  t.notOk(isAlone(''))
  t.notOk(isAlone('// tier: whole\n'))
  t.ok(isAlone('// process: own, because it ends\n'))
  t.ok(isAlone('// servers: PostgreSQL and Redis\n'))
  t.notOk(isAlone('// process: own\n', 'test/console/chat.test.ts'), 'files of the console share a browser')
  const shared = select(files, 'long').filter((file) => !file.isAlone)
  t.ok(shared.every(({ path }) => path.startsWith('test/console/')))
})

t.test('each test file of the repository is in exactly one tier, and whole includes main', async (t) => {
  const exact = TIERS.flatMap((tier) => files.filter((file) => file.tier === tier))
  t.same(paths(exact).sort(), paths(files))
  t.ok(files.length > 600, `${files.length} files`)
  const whole = paths(select(files, 'whole'))
  t.same(whole, [...paths(select(files, 'main')), ...paths(select(files, 'whole', { isExact: true }))].sort())
})

t.test('files that open a browser are not in main', async (t) => {
  const browsing = /\/chromium\.ts'|console\/testbed\.ts'/
  const opens = ({ path }: TestFile) =>
    path.startsWith('test/console/') || browsing.test(readFileSync(join(root, path), 'utf8'))
  t.same(paths(select(files, 'main').filter(opens)), [])
})

t.test('the quarters of the tier long are disjoint, and together complete', async (t) => {
  const all = select(files, 'long')
  const quarters = Array.from({ length: QUARTERS }, (_, quarter) => select(files, 'long', { quarter }))
  t.same(paths(quarters.flat()).sort(), paths(all))
  t.ok(quarters.every(({ length }) => length > 0))
  t.ok(all.every(({ path }) => quarterOf(path) < QUARTERS))
  t.ok(
    all.some(({ path }) => path === 'test/runs/kill.test.ts'),
    'a file with a long form'
  )
})

t.test('workers take each file once, the longest first', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-platform-plan-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const ordered = byDuration(select(files, 'whole'))
  writePlan(folder, { files: ordered, until: null })
  const workers = [takeFiles(folder), takeFiles(folder)]
  const taken: TestFile[] = []
  for (let turn = 0; ; turn++) {
    const { value, done } = workers[turn % 2]?.next() ?? {}
    if (done || !value) break
    taken.push(value)
  }
  t.same(taken, ordered)
  t.same([...takeFiles(folder)], [])
})

t.test('no file is taken after the time is over', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-platform-plan-'))
  t.teardown(() => rm(folder, { recursive: true }))
  writePlan(folder, { files: files.slice(0, 3), until: 0 })
  t.same([...takeFiles(folder)], [])
})

t.test('a change selects the tests that import it and the tests of the packs that require it', async (t) => {
  const affected = (...changed: string[]) => paths(selectAffected(files, changed))
  t.same(affected('LICENSE'), [])
  t.same(affected('test/runner/plan.ts'), ['test/runner/runner.test.ts'])
  const goals = affected('plugins/goals/service.ts')
  t.ok(goals.includes('plugins/goals/test/goals.test.ts'))
  t.notOk(goals.includes('plugins/audio/test/audio.test.ts'))
  t.ok(
    affected('plugins/agents/service.ts').includes('plugins/goals/test/goals.test.ts'),
    'goals requires agents'
  )
  t.same(affected('package.json'), paths(select(files, 'main')))
})
