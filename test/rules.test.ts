import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { temporaryFolder, writeFiles } from './pack-folders.ts'

const require = createRequire(import.meta.url)
const config = join(root, '.dependency-cruiser.cjs')

/** A dependency that is installed; whether it is declared stands in package.json. */
const installed = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: 'module.exports = {}\n'
})

/** In the shape of the repository, and as it should be. */
const sound = {
  'package.json': JSON.stringify({
    name: 'agent-platform',
    type: 'module',
    exports: { '.': './kernel/contract/pack.ts' },
    bin: './process/main.ts',
    scripts: { platform: 'node cli/main.ts' },
    dependencies: { fastify: '1.0.0', knex: '1.0.0', pg: '1.0.0' },
    devDependencies: { tap: '1.0.0' }
  }),
  ...installed('fastify'),
  ...installed('knex'),
  ...installed('pg'),
  ...installed('tap'),
  ...installed('undeclared'),
  'apps-sdk/client/src/index.ts': `export { send } from './send.ts'\n`,
  'apps-sdk/client/src/send.ts': `export const send = 1\n`,
  'apps-sdk/app/src/grants/grants.ts': `export { limits } from '../limits/limits.ts'\n`,
  'apps-sdk/app/src/limits/limits.ts': `export const limits = {}\n`,
  'process/main.ts': `import '../kernel/database/connect.ts'\nimport fastify from 'fastify'\nfastify()\n`,
  'kernel/contract/pack.ts': `export * from './errors.ts'\nexport type { Connection } from '../database/connect.ts'\n`,
  'cli/main.ts': `import { notFound } from '../kernel/contract/pack.ts'\nnotFound()\n`,
  'kernel/contract/errors.ts': `export const notFound = () => new Error()\n`,
  'kernel/database/connect.ts': `import knex from 'knex'\nimport 'pg'\nexport type Connection = typeof knex\n`,
  'test/boot.ts': `import '../process/main.ts'\nexport const boot = 1\n`,
  'plugins/goals/pack.ts': `import { goalRoutes } from './routes.ts'\nexport default goalRoutes\n`,
  'plugins/goals/contract.ts': `import type { Goal } from './service.ts'\nexport interface Goals { goal: Goal }\n`,
  'plugins/goals/routes.ts': `import { createGoal } from './service.ts'\nexport const goalRoutes = [createGoal]\n`,
  'plugins/goals/service.ts': `import { notFound } from 'agent-platform'\nimport { find } from './store.ts'
export interface Goal { id: string }\nexport const createGoal = () => find ?? notFound()\n`,
  'plugins/goals/store.ts': `import type { Knex } from 'knex'\nexport const find = (knex: Knex) => knex\n`,
  'plugins/goals/test/goals.test.ts': `import t from 'tap'\nimport { boot } from '../../../test/boot.ts'\nt.equal(boot, 1)\n`,
  'plugins/goals/web/page.tsx': `import { definePage } from '../../console/web/kit.ts'\nimport 'tap'\nexport default definePage\n`,
  'plugins/console/web/kit.ts': `export const definePage = 1\n`,
  'plugins/notes/pack.ts': `import type { Goals } from '../goals/contract.ts'\nexport default {} as Goals\n`
}

/** What breaks each rule, by the rule's name; the first file is the one that is to be blamed. */
const offences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kernel-imports-no-pack': { 'kernel/fond.ts': `import '../plugins/notes/pack.ts'\n` },
  'pack-imports-kernel-by-its-contract': {
    'plugins/notes/sneak.ts': `import type { notFound } from '../../kernel/contract/errors.ts'\nexport type N = typeof notFound\n`
  },
  'pack-sees-contracts-of-others': {
    'plugins/notes/peek.ts': `import type { Goal } from '../goals/service.ts'\nexport type Seen = Goal\n`
  },
  'pages-have-the-kit-and-the-client': {
    'plugins/notes/web/page.tsx': `import '../../goals/web/page.tsx'\n`
  },
  'servers-know-no-pages': {
    'plugins/notes/show.ts': `import './web/shown.ts'\n`,
    'plugins/notes/web/shown.ts': `export const shown = 1\n`
  },
  'pack-imports-others-as-types': { 'plugins/notes/hold.ts': `import '../goals/contract.ts'\n` },
  'contract-is-types': {
    'plugins/loud/contract.ts': `import { loud } from './schemas.ts'\nexport type Loud = typeof loud\n`,
    'plugins/loud/schemas.ts': `export const loud = 1\n`
  },
  'stores-and-migrations-speak-sql': {
    'plugins/notes/report.ts': `import type { Knex } from 'knex'\nexport type K = Knex\n`
  },
  'kernel-knows-no-process': { 'kernel/eager.ts': `import '../process/main.ts'\n` },
  'kernel-connects-in-database': { 'kernel/http/direct.ts': `import 'pg'\n` },
  'services-know-no-http': {
    'plugins/notes/services/http.ts': `import type { FastifyRequest } from 'fastify'\nexport type R = FastifyRequest\n`
  },
  'nothing-flows-back-up': {
    'plugins/goals/services/up.ts': `import type { goalRoutes } from '../routes.ts'\nexport type R = typeof goalRoutes\n`
  },
  'stores-know-no-services': {
    'plugins/goals/stores/up.ts': `import type { Goal } from '../service.ts'\nexport type G = Goal\n`
  },
  'nothing-runs-on-tests': { 'kernel/lean.ts': `import '../test/boot.ts'\n` },
  'nothing-runs-on-dev-dependencies': { 'kernel/dev.ts': `import 'tap'\n` },
  'client-stands-alone': {
    'apps-sdk/client/src/file.ts': `import { readFile } from 'node:fs/promises'\nexport const read = readFile\n`
  },
  'rules-of-apps-stand-alone': {
    'apps-sdk/app/src/grants/clock.ts': `import { hrtime } from 'node:process'\nexport const now = hrtime\n`
  },
  'dependencies-are-declared': { 'kernel/borrow.ts': `import 'undeclared'\n` },
  'imports-resolve': { 'kernel/lost.ts': `import './nowhere.ts'\n` },
  'no-cycle': {
    'kernel/egg.ts': `import type { Hen } from './hen.ts'\nexport interface Egg { hen: Hen }\n`,
    'kernel/hen.ts': `import type { Egg } from './egg.ts'\nexport interface Hen { egg?: Egg }\n`
  },
  'no-orphan': { 'kernel/lonely.ts': `export const lonely = 1\n` }
}

type Scope = Parameters<typeof temporaryFolder>[0]

interface Cruised {
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[]
  }
}

t.test('what is as it should be breaks no rule', async (t) => {
  const folder = await repository(t, sound)
  t.same(await violations(folder), [])
})

t.test('each rule about imports bites, and only where it is broken', async (t) => {
  const { forbidden } = require(config) as { forbidden: { name: string; severity: string }[] }
  t.same(Object.keys(offences).sort(), forbidden.map(({ name }) => name).sort(), 'a case for each rule')
  t.ok(forbidden.every(({ severity }) => severity === 'error'))

  const folder = await repository(t, Object.assign({}, sound, ...Object.values(offences)))
  const expected = Object.entries(offences).map(([rule, files]) => `${Object.keys(files)[0]}: ${rule}`)
  t.same(await violations(folder), expected.sort())
})

t.test('types of others come in lines of their own, the kernel by its name', async (t) => {
  const folder = await repository(t, {
    'plugins/notes/inline.ts': `import { type Goals, notFound } from 'agent-platform'\n\nexport const g = notFound as unknown as Goals\n`,
    'plugins/notes/sneak.ts': `import { notFound } from '../../kernel/contract/pack.ts'\n\nexport const n = notFound\n`,
    'plugins/notes/sound.ts': `import type { Goals } from 'agent-platform'\nimport { notFound } from 'agent-platform'\n\nexport const g = notFound as unknown as Goals\n`
  })
  await copyFile(join(root, 'biome.json'), join(folder, 'biome.json'))
  const args = ['lint', '--reporter=json', '--vcs-enabled=false', 'plugins']
  const { diagnostics } = JSON.parse(await output(folder, '@biomejs/biome', 'biome', args)) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[]
  }
  const found = diagnostics.map(({ category, location: { path } }) => [
    typeof path === 'string' ? path : path.file,
    category
  ])
  t.same(found.sort(), [
    ['plugins/notes/inline.ts', 'lint/style/useImportType'],
    ['plugins/notes/sneak.ts', 'lint/style/noRestrictedImports']
  ])
})

t.test('what nobody uses is found', async (t) => {
  const folder = await repository(t, {
    ...sound,
    'kernel/forgotten.ts': `import './contract/errors.ts'\n`,
    'kernel/database/connect.ts': `${sound['kernel/database/connect.ts']}export const unused = 1\n`
  })
  await copyFile(join(root, 'knip.json'), join(folder, 'knip.json'))
  const report = await output(folder, 'knip', 'knip', ['--reporter', 'json', '--no-progress'])
  const { issues } = JSON.parse(report) as {
    issues: { file: string; files: unknown[]; exports: { name: string }[] }[]
  }
  t.same(
    issues.filter(({ files }) => files.length > 0).map(({ file }) => file),
    ['kernel/forgotten.ts']
  )
  t.same(
    issues.flatMap(({ file, exports }) => exports.map(({ name }) => `${file}: ${name}`)),
    ['kernel/database/connect.ts: unused']
  )
})

async function repository(t: Scope, files: Readonly<Record<string, string>>) {
  const folder = await writeFiles(await temporaryFolder(t), files)
  await copyFile(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  return folder
}

async function violations(folder: string): Promise<string[]> {
  const args = [
    'kernel',
    'cli',
    'process',
    'plugins',
    'test',
    'apps-sdk',
    '--config',
    config,
    '--output-type',
    'json'
  ]
  const { summary } = JSON.parse(await output(folder, 'dependency-cruiser', 'depcruise', args)) as Cruised
  return [...new Set(summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`))].sort()
}

/** What a program of the repository's prints; how many faults it finds is its exit code. */
function output(cwd: string, pack: string, program: string, args: readonly string[]): Promise<string> {
  const home = join(root, 'node_modules', pack)
  const { bin } = require(join(home, 'package.json')) as { bin: string | Record<string, string> }
  const file = join(home, typeof bin === 'string' ? bin : (bin[program] as string))
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, ...args], { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      stdout ? resolve(stdout) : reject(error ?? new Error(stderr))
    )
  })
}
