import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { kernelMigrations } from '../kernel/hosting/migrator.ts'
import { boot } from './boot.ts'
import { describe } from './conformance/described.ts'
import { fileFaults, readmeFaults } from './conformance/files.ts'
import { migrationFaults } from './conformance/migrations.ts'
import { contractFaults, factoryFaults } from './conformance/names.ts'
import { routeFaults, routeName, titleFaults, unpaged } from './conformance/routes.ts'
import { surfaceOf } from './conformance/surface.ts'
import { tableFaults } from './conformance/tables.ts'
import { wrongPack } from './conformance/wrong-pack.ts'
import { database } from './database.ts'
import { temporaryFolder, writeFiles } from './pack-folders.ts'

const platform = boot(t)
const packs = platform.then(async (booted) => {
  const names = booted.platform.hosting.mounted().map(({ name }) => name)
  return Promise.all(names.sort().map((name) => describe(booted, name)))
})

t.test('every pack runs', async (t) => {
  const { platform: running } = await platform
  const infos = await running.hosting.list()
  t.ok(infos.length > 0)
  for (const { name, status, reason } of infos)
    t.match({ status, reason }, { status: 'running', reason: null }, name)
})

t.test('every pack is built alike', async (t) => {
  for (const pack of await packs) {
    t.equal(pack.manifest.name, pack.name)
    t.same(fileFaults(pack), [], `${pack.name}: its files`)
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

  t.same(fileFaults(pack), [])
  t.same(readmeFaults(pack), [])
  t.same(contractFaults(pack), [])
  t.same(factoryFaults(pack), [])
  t.same(
    pack.routes.flatMap((route) => routeFaults('wrongs', route)),
    []
  )
  t.same(titleFaults(pack.routes), [])
  t.same(
    pack.tables.flatMap((table) => tableFaults('wrongs', table)),
    []
  )

  const { knex } = await database(t)
  t.same(await migrationFaults(knex, await kernelMigrations()), [])
  t.same(await migrationFaults(knex, pack), [])
})
