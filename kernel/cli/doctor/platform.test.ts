import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rotateKeyFile } from '../../data/rotation.ts'
import { findMasterKeys, openMasterKeys } from '../../data/secret-key.ts'
import { createVault } from '../../data/vault.ts'
import { parseDeployment, root } from '../../deployment.ts'
import { installedVersion } from '../../start.ts'
import { living, look, migrated, patientOf, patientOn } from './patient-fixture.ts'

const log = { error() {} }
const newKey = () => randomBytes(32).toString('base64')

t.test('migrations', async (t) => {
  const patient = await migrated(await patientOn(t))
  t.match(await look(patient, 'migrations'), { status: 'ok', found: /applied, none pending/ })
  const running = { ...patient, living: [living(1)] }
  const names: string[] = await patient
    .knex('kernel.migration')
    .where({ pack: 'kernel' })
    .orderBy('name')
    .pluck('name')
  const last = { pack: 'kernel', name: names.at(-1) as string }
  await patient.knex('kernel.migration').where(last).delete()
  const pending = new RegExp(`kernel: 1 migration pending \\(${last.name}\\)`)
  t.match(await look(patient, 'migrations'), { status: 'ok', found: pending }, 'applied at the start')
  t.match(await look(running, 'migrations'), { status: 'warning', found: pending, advice: /restart/ })
  await patient
    .knex('kernel.migration')
    .insert([
      last,
      { pack: 'goals', name: '9999-from-later' },
      { pack: 'of-somebody', name: '0001-create-thing' }
    ])
  t.match(await look(patient, 'migrations'), {
    status: 'warning',
    found: 'goals: the database has 9999-from-later, which this installation does not know'
  })
})

t.test('the master key of a file', async (t) => {
  const patient = await migrated(await patientOn(t))
  const { knex, settings } = patient
  const { DATA_DIR: dataDir } = settings
  t.match(await look(patient, 'master key'), { status: 'ok', found: 'made at the first start' })
  const from = { dataDir, production: false }
  const vault = createVault({ knex, masterKeys: await openMasterKeys(from), log })
  t.match(await look(patient, 'master key'), { status: 'ok', found: /nothing is stored/ })
  await vault.seal('p', 'place', 'x')
  t.match(await look(patient, 'master key'), { status: 'ok', found: /^1 stored key, all of them opened/ })
  await rotateKeyFile({ knex, dataDir, log, keep: true })
  t.match(await look(patient, 'master key'), { status: 'ok' })
  const file = join(dataDir, 'secret-key')
  const text = readFileSync(file, 'utf8').trim().split(',')
  writeFileSync(file, text.toReversed().join())
  t.match(await look(patient, 'master key'), {
    status: 'warning',
    found: /1 by an older one/,
    advice: /secrets rotate/
  })
  writeFileSync(file, newKey())
  t.match(await look(patient, 'master key'), {
    status: 'problem',
    found: /^1 of 1 stored key cannot be opened/
  })
  rmSync(file)
  t.match(await look(patient, 'master key'), {
    status: 'problem',
    found: /is not there, and 1 stored key/,
    advice: /backup/
  })
})

t.test('the master key of a variable', async (t) => {
  const [old, next] = [newKey(), newKey()]
  const patient = await migrated(await patientOn(t, undefined, { PLATFORM_SECRET_KEY: old }))
  const { knex, settings } = patient
  const keysOf = (value: string) => findMasterKeys({ value, dataDir: settings.DATA_DIR, production: true })
  await createVault({ knex, masterKeys: keysOf(old), log }).seal('p', 'place', 'x')
  const at = (PLATFORM_SECRET_KEY: string) => ({ ...patient, settings: { ...settings, PLATFORM_SECRET_KEY } })
  t.match(await look(patient, 'master key'), { status: 'ok' })
  t.match(await look(at(`${next},${old}`), 'master key'), { status: 'warning' })
  t.match(await look(at(next), 'master key'), { status: 'problem' })
  const said = await look(at(next), 'master key')
  t.notOk(JSON.stringify(said).includes(next), 'and no key is shown')
})

t.test('packs and facts of what runs', async (t) => {
  const version = installedVersion()
  const patient = await migrated(await patientOn(t))
  const { knex } = patient
  t.match(await look(patient, 'instances'), { found: 'none runs' })
  t.match(await look(patient, 'packs'), { status: 'ok' })
  const running = { ...patient, living: [living(1, { version }), living(2, { version })] }
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
  const mixed = { ...patient, living: [living(1, { version }), living(2, { version: '9.9.9' })] }
  t.match(await look(mixed, 'instances'), { status: 'warning', found: /9\.9\.9/ })
  t.match(await look({ ...patient, living: [living(1, { version: '0.0.1' })] }, 'instances'), {
    status: 'warning'
  })

  const held = { project: 'p', subject: 's', attempts: 20 }
  await knex('kernel.fact_held').insert({ pack: 'goals', transaction: '1', position: 1, ...held })
  t.match(await look(patient, 'facts'), { status: 'ok', found: 'goals tries 1 fact again' })
  await knex('kernel.fact_held').insert({
    pack: 'runs',
    transaction: '1',
    position: 2,
    ...held,
    parkedAt: new Date()
  })
  t.match(await look(patient, 'facts'), {
    status: 'warning',
    found: /^runs could not handle 1 fact/,
    advice: /replay/
  })
})

t.test('folders of packs', async (t) => {
  t.match(await look(patientOf(t), 'pack folders'), { status: 'ok', found: /^\d+ packs can be loaded/ })
  const at = (folder: string) =>
    patientOf(t, {}, { deployment: parseDeployment({ folders: [folder] }, root) })
  const broken = await look(at('test/fixtures/broken'), 'pack folders')
  t.match(broken, { status: 'problem', found: /no-export cannot be loaded: pack.ts has no default export/ })
  t.match(broken.found, /bad-syntax cannot be loaded/)
  const wrong = patientOf(t, { RUN_MAX_SECONDS: 'many', COMPUTE_URL: 'nowhere' })
  t.match(await look(wrong, 'pack folders'), { status: 'problem', found: /COMPUTE_URL/ })
})

t.test('the file of the deployment', async (t) => {
  const at = (file: object) => patientOf(t, {}, { deployment: parseDeployment(file, join(root, 'config')) })
  t.match(await look(at({}), 'deployment'), { status: 'ok' })
  t.match(await look(at({ packs: { goalss: { enabled: false } } }), 'deployment'), {
    status: 'warning',
    found: /names goalss/
  })
  t.match(await look(at({ folders: ['../nowhere'] }), 'deployment'), { status: 'problem', found: /nowhere/ })
  const unread = patientOf(t, {}, { deployment: new Error('DEPLOYMENT x: config/x.json: broken') })
  t.match(await look(unread, 'deployment'), { status: 'problem', found: /config\/x\.json/ })
  t.match(await look(unread, 'pack folders'), { status: 'warning', advice: 'see deployment' })
})
