import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { kernelMigrations } from '../kernel/database/migrator.ts'
import { boot } from './boot.ts'
import { archiveFaults, leftOut } from './conformance/archives.ts'
import { describe } from './conformance/described.ts'
import { fileFaults, readmeFaults } from './conformance/files.ts'
import { migrationFaults } from './conformance/migrations.ts'
import { contractFaults, factoryFaults, summaryFaults } from './conformance/names.ts'
import { routeFaults, routeName, titleFaults, unpaged } from './conformance/routes.ts'
import { surfaceOf } from './conformance/surface.ts'
import { tableFaults } from './conformance/tables.ts'
import { refused, refusing, tokenFaults } from './conformance/tokens.ts'
import { wrongPack } from './conformance/wrong-pack.ts'
import { database } from './database.ts'
import { temporaryFolder, writeFiles } from './pack-folders.ts'

const platform = boot(t)
const packs = platform.then(async (booted) => {
  const names = booted.platform.packs.mounted().map(({ name }) => name)
  return Promise.all(names.sort().map((name) => describe(booted, name)))
})

t.test('every pack runs', async (t) => {
  const { platform: running } = await platform
  const infos = await running.packs.list()
  t.ok(infos.length > 0)
  for (const { name, status, reason } of infos)
    t.match({ status, reason }, { status: 'running', reason: null }, name)
})

t.test('every pack is built alike', async (t) => {
  for (const pack of await packs) {
    t.same(fileFaults(pack), [], `${pack.name}: its files`)
    t.same(summaryFaults(pack), [], `${pack.name}: its summary`)
    t.same(readmeFaults(pack), [], `${pack.name}: its README`)
    t.same(contractFaults(pack), [], `${pack.name}: its contract`)
    t.same(factoryFaults(pack), [], `${pack.name}: its factories`)
  }
})

t.test('every route tells what it is', async (t) => {
  const all = await packs
  for (const { name, routes } of all)
    t.same(
      routes.flatMap((route) => routeFaults(name, route)),
      [],
      name
    )
  const routes = all.flatMap(({ routes }) => routes)
  t.same(titleFaults(routes), [])
  const names = new Set(routes.map(routeName))
  t.same(
    Object.keys(unpaged).filter((name) => !names.has(name)),
    []
  )
})

t.test('every route lets in tokens of holders of keys, or says why not', async (t) => {
  const all = await packs
  for (const pack of all) t.same(tokenFaults(pack), [], pack.name)
  const names = new Set(all.map(({ name }) => name))
  t.same(
    [...Object.keys(refusing), ...Object.keys(refused)].filter((name) => !names.has(name)),
    [],
    'none says so that is not there'
  )
  const pack = all.find(({ name }) => name === 'goals')
  const [route] = pack?.routes ?? []
  const forgotten = route && { ...route, path: '/v1/goals/new', access: {} }
  t.match(
    pack && forgotten && tokenFaults({ ...pack, routes: [...pack.routes, forgotten] }),
    [/goals\/new says neither/],
    'a new route cannot forget it'
  )
  t.match(pack && tokenFaults({ ...pack, name: 'new-pack' }), { length: 3 }, 'nor can a new pack')
})

t.test('every table can be distributed by project', async (t) => {
  for (const { name, schema, tables, migrations } of await packs) {
    t.equal(tables.length > 0, migrations.length > 0, `${name}: its tables lie in schema ${schema}`)
    t.same(
      tables.flatMap((table) => tableFaults(schema, table)),
      [],
      name
    )
  }
})

t.test('what packs keep of an agent is in its archives, or is left out for a reason', async (t) => {
  const all = await packs
  for (const pack of all) t.same(archiveFaults(pack), [], pack.name)
  const names = new Set(all.map(({ name }) => name))
  t.same(
    Object.keys(leftOut).filter((name) => !names.has(name)),
    [],
    'no pack is left out that is not there'
  )
  const keeping = all.find(({ name }) => name === 'goals')
  const forgetful = keeping && { ...keeping, manifest: { ...keeping.manifest, contributes: {} } }
  t.match(forgetful && archiveFaults(forgetful), [/neither contributes archives.part nor is left out/])
})

t.test('every migration goes back, and forth again', async (t) => {
  const { knex } = await database(t)
  for (const pack of [await kernelMigrations(), ...(await packs)])
    t.same(await migrationFaults(knex, pack), [], pack.name)
})

t.test('what a pack shows is what was reviewed', async (t) => {
  for (const pack of await packs) {
    const surface = surfaceOf(pack)
    if (process.env.UPDATE) await writeFile(join(pack.folder, 'surface.md'), surface)
    else
      t.equal(pack.files.get('surface.md'), surface, `${pack.name}/surface.md, else write it with UPDATE=1`)
  }
})

t.test('whatever a pack does wrong is told', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), wrongPack)
  const booted = await boot(t, { packs: ['wrongs'], folders: [folder] })
  const pack = await describe(booted, 'wrongs', [folder])

  t.same(fileFaults(pack), [
    'notes.txt has no place in a pack',
    'helpers.ts has a name that says nothing',
    'routes.ts stands beside a folder of the same',
    'helpers.ts is longer than 220 lines',
    'nothing is tested',
    'store.ts knows HTTP'
  ])
  t.same(summaryFaults(pack), ['its summary begins like a sentence', 'its summary ends like a sentence'])
  t.same(summaryFaults({ ...pack, manifest: { ...pack.manifest, summary: undefined } }), [
    'pack.ts has no summary'
  ])
  t.same(readmeFaults(pack), [
    'README.md is not called wrongs',
    'README.md has Purpose, Facts, Decisions, not Purpose, Routes, Facts, Points, Settings, Decisions',
    'README.md says nothing about Facts',
    'README.md does not name /v1/wrongs/:id',
    'README.md does not name others.made',
    'README.md does not name wrongs.create',
    'README.md does not name wrongs.spots',
    'README.md does not name colour'
  ])
  t.same(contractFaults(pack), [
    'others.made is not for wrongs to declare',
    'fact wrongs.create is not past tense',
    'fact others.made is never recorded',
    'fact wrongs.create is never recorded',
    'point wrongs.spots is never asked',
    'fact wrongs.secretly_made is recorded, but not declared in contract.ts',
    'service stuff is not called wrongs',
    'exports and contract.ts do not agree'
  ])
  t.same(factoryFaults(pack), [
    'thingStore is made by createThings',
    'thingStore.fetchAll begins with no verb of stores'
  ])
  t.same(
    pack.routes.flatMap((route) => routeFaults('wrongs', route)),
    [
      'GET /v1/wrongs 200 has a list without nextCursor, or the other way round',
      'GET /v1/wrongs 200 is a list without limit and cursor',
      'GET /v1/wrongs/:id has no summary, or one with a full stop',
      'GET /v1/wrongs/:id has not the tag wrongs alone',
      'GET /v1/wrongs/:id does not describe its parameters',
      'GET /v1/wrongs/:id 200 is not wrapped in data',
      'POST /v1/wrongs has an open body',
      'POST /v1/wrongs describes no reply',
      'POST /v1/wrongs takes a name that is none',
      'PUT /v1/wrongs has an open query',
      'PUT /v1/wrongs 200 has extra beside data'
    ]
  )
  t.same(titleFaults(pack.routes), ['title Thing stands for two schemas', 'title small is not PascalCase'])
  t.same(
    pack.tables.flatMap((table) => tableFaults('wrongs', table)),
    [
      'table status: status_lower does not begin with project',
      'table status: status_title does not begin with project',
      'table things is not named in the singular',
      'table things: created_at is not camelCase',
      'table things: created_at has no time zone',
      'table things: things_id_fkey points into another schema',
      'table things has no project',
      'table things has no owner',
      'table things: the primary key is not (project, id)',
      'table things has not one plain index on id'
    ]
  )

  const { knex } = await database(t)
  t.same(await migrationFaults(knex, await kernelMigrations()), [])
  t.same(await migrationFaults(knex, pack), [
    'after down: left r public.leftover ',
    'after down: left type public._leftover ',
    'after down: left type public.leftover ',
    'after the second up: missing column wrongs.once.?column? integer f  p ',
    'after the second up: missing type wrongs._once ',
    'after the second up: missing type wrongs.once ',
    'after the second up: missing v wrongs.once '
  ])
})
