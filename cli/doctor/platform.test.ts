// tier: whole
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rotateKeyFile } from '../../kernel/database/vault/rotation.ts'
import { findMasterKeys, openMasterKeys } from '../../kernel/database/vault/secret-key.ts'
import { createVault } from '../../kernel/database/vault/vault.ts'
import { parseDeployment, root } from '../../kernel/deployment.ts'
import { pageDigest } from '../../kernel/packs/loader/page-digest.ts'
import { installedVersion } from '../../process/start.ts'
import { living, look, migrated, targetOf, targetOn } from './target-fixture.ts'

const log = { error() {} }
const newKey = () => randomBytes(32).toString('base64')

t.test('migrations', async (t) => {
  const target = await migrated(await targetOn(t))
  t.match(await look(target, 'migrations'), { status: 'ok', found: /applied, none pending/ })
  const running = { ...target, living: [living(1)] }
  const names: string[] = await target
    .knex('kernel.migration')
    .where({ pack: 'kernel' })
    .orderBy('name')
    .pluck('name')
  const last = { pack: 'kernel', name: names.at(-1) as string }
  await target.knex('kernel.migration').where(last).delete()
  const pending = new RegExp(`kernel: 1 migration pending \\(${last.name}\\)`)
  t.match(await look(target, 'migrations'), { status: 'ok', found: pending }, 'applied at the start')
  t.match(await look(running, 'migrations'), { status: 'warning', found: pending, advice: /restart/ })
  await target
    .knex('kernel.migration')
    .insert([
      last,
      { pack: 'goals', name: '9999-from-later' },
      { pack: 'of-somebody', name: '0001-create-thing' }
    ])
  t.match(await look(target, 'migrations'), {
    status: 'warning',
    found: 'goals: the database has 9999-from-later, which this installation does not know'
  })
  await target.knex('kernel.migration').where(last).update({ digest: 'of another text' })
  t.match(await look(target, 'migrations'), {
    status: 'problem',
    found: new RegExp(`kernel: ${last.name} was edited after it was applied`)
  })
})

t.test('the master key of a file', async (t) => {
  const target = await migrated(await targetOn(t))
  const { knex, settings } = target
  const { DATA_DIR: dataDir } = settings
  t.match(await look(target, 'master key'), { status: 'ok', found: 'made at the first start' })
  const from = { dataDir, production: false }
  const vault = createVault({ knex, masterKeys: await openMasterKeys(from), log })
  t.match(await look(target, 'master key'), { status: 'ok', found: /nothing is stored/ })
  await vault.seal('p', 'place', 'x')
  t.match(await look(target, 'master key'), { status: 'ok', found: /^1 stored key, all of them opened/ })
  await rotateKeyFile({ knex, dataDir, log, keep: true })
  t.match(await look(target, 'master key'), { status: 'ok' })
  const file = join(dataDir, 'secret-key')
  const text = readFileSync(file, 'utf8').trim().split(',')
  writeFileSync(file, text.toReversed().join())
  t.match(await look(target, 'master key'), {
    status: 'warning',
    found: /1 by an older one/,
    advice: /secrets rotate/
  })
  writeFileSync(file, newKey())
  t.match(await look(target, 'master key'), {
    status: 'problem',
    found: /^1 of 1 stored key cannot be opened/
  })
  rmSync(file)
  t.match(await look(target, 'master key'), {
    status: 'problem',
    found: /is not there, and 1 stored key/,
    advice: /backup/
  })
})

t.test('the master key of a variable', async (t) => {
  const [old, next] = [newKey(), newKey()]
  const target = await migrated(await targetOn(t, undefined, { PLATFORM_SECRET_KEY: old }))
  const { knex, settings } = target
  const keysOf = (value: string) => findMasterKeys({ value, dataDir: settings.DATA_DIR, production: true })
  await createVault({ knex, masterKeys: keysOf(old), log }).seal('p', 'place', 'x')
  const at = (PLATFORM_SECRET_KEY: string) => ({ ...target, settings: { ...settings, PLATFORM_SECRET_KEY } })
  t.match(await look(target, 'master key'), { status: 'ok' })
  t.match(await look(at(`${next},${old}`), 'master key'), { status: 'warning' })
  t.match(await look(at(next), 'master key'), { status: 'problem' })
  const said = await look(at(next), 'master key')
  t.notOk(JSON.stringify(said).includes(next), 'and no key is shown')
})

t.test('packs and facts of what runs', async (t) => {
  const version = installedVersion()
  const target = await migrated(await targetOn(t))
  const { knex } = target
  t.match(await look(target, 'instances'), { found: 'none runs' })
  t.match(await look(target, 'packs'), { status: 'ok' })
  const running = { ...target, living: [living(1, { version }), living(2, { version })] }
  const state = (pack: string, instance: number, status: string, reason: string | null = null) => ({
    pack,
    instance,
    status,
    reason
  })
  await knex('kernel.pack_instance').insert([
    state('goals', 1, 'running'),
    state('goals', 2, 'running'),
    state('goals', 3, 'failed', 'of one that is gone')
  ])
  t.match(await look(running, 'instances'), { status: 'ok', found: `2 instances of version ${version}` })
  t.match(await look(running, 'packs'), { status: 'ok', found: '1 run' })
  await knex('kernel.pack_instance').insert(state('sessions', 2, 'waiting for code', 'others run abc'))
  t.match(await look(running, 'packs'), {
    status: 'warning',
    found: 'sessions on instance 2: others run abc'
  })
  await knex('kernel.pack_instance').insert(state('runs', 1, 'failed', 'start: no'))
  t.match(await look(running, 'packs'), {
    status: 'problem',
    found: 'failed: runs on instance 1: start: no',
    advice: /packs reload runs/
  })
  const mixed = { ...target, living: [living(1, { version }), living(2, { version: '9.9.9' })] }
  t.match(await look(mixed, 'instances'), { status: 'warning', found: /9\.9\.9/ })
  t.match(await look({ ...target, living: [living(1, { version: '0.0.1' })] }, 'instances'), {
    status: 'warning'
  })

  const held = { project: 'p', subject: 's', attempts: 20 }
  await knex('kernel.fact_held').insert({ pack: 'goals', transaction: '1', position: 1, ...held })
  t.match(await look(target, 'facts'), { status: 'ok', found: 'goals tries 1 fact again' })
  await knex('kernel.fact_held').insert({
    pack: 'runs',
    transaction: '1',
    position: 2,
    ...held,
    parkedAt: new Date()
  })
  t.match(await look(target, 'facts'), {
    status: 'warning',
    found: /^runs has 1 dead-lettered fact/,
    advice: /replay/
  })
})

t.test('folders of packs', async (t) => {
  t.match(await look(targetOf(t), 'pack folders'), { status: 'ok', found: /^\d+ packs can be loaded/ })
  const at = (folder: string) => targetOf(t, {}, { deployment: parseDeployment({ folders: [folder] }, root) })
  const broken = await look(at('test/fixtures/broken'), 'pack folders')
  t.match(broken, { status: 'problem', found: /no-export cannot be loaded: pack.ts has no default export/ })
  t.match(broken.found, /bad-syntax cannot be loaded/)
  const wrong = targetOf(t, { RUN_MAX_SECONDS: 'many', COMPUTE_URL: 'nowhere' })
  t.match(await look(wrong, 'pack folders'), { status: 'problem', found: /COMPUTE_URL/ })
})

t.test('pages of packs in the console', async (t) => {
  const manifest = 'export default {}'
  const folder = t.testdir({
    console: { 'pack.ts': manifest, web: { 'main.tsx': 'app' } },
    goals: { 'pack.ts': manifest, web: { deep: { 'list.tsx': 'list' }, 'page.tsx': 'page' } },
    plain: { 'pack.ts': manifest }
  })
  const here = targetOf(t, {}, { deployment: parseDeployment({ folders: [folder] }, root) })
  t.match(await look(here, 'console'), {
    status: 'warning',
    found: 'it has not been built',
    advice: /build:console/
  })
  const note = async (...packs: string[]) => {
    const digests = await Promise.all(
      packs.map(async (name) => [name, await pageDigest(join(folder, name))] as const)
    )
    mkdirSync(join(folder, 'console/dist'), { recursive: true })
    writeFileSync(join(folder, 'console/dist/pages.json'), JSON.stringify(Object.fromEntries(digests)))
  }
  await note('console')
  t.match(await look(here, 'console'), { status: 'warning', found: 'the page of goals is not built in' })
  await note('console', 'goals')
  t.match(await look(here, 'console'), { status: 'ok', found: 'built of the pages of 2 packs' })
  writeFileSync(join(folder, 'goals/web/deep/list.tsx'), 'other list')
  t.match(await look(here, 'console'), {
    status: 'warning',
    found: 'the page of goals is another one than was built in'
  })
})

t.test('the file of the deployment', async (t) => {
  const at = (file: object) => targetOf(t, {}, { deployment: parseDeployment(file, join(root, 'config')) })
  t.match(await look(at({}), 'deployment'), { status: 'ok' })
  t.match(await look(at({ packs: { goalss: { enabled: false } } }), 'deployment'), {
    status: 'warning',
    found: /names goalss/
  })
  t.match(await look(at({ folders: ['../nowhere'] }), 'deployment'), { status: 'problem', found: /nowhere/ })
  const unread = targetOf(t, {}, { deployment: new Error('DEPLOYMENT x: config/x.json: broken') })
  t.match(await look(unread, 'deployment'), { status: 'problem', found: /config\/x\.json/ })
  t.match(await look(unread, 'pack folders'), { status: 'warning', advice: 'see deployment' })
})
