import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Knex } from 'knex'
import t from 'tap'
import type { Connection } from '../../test/database.ts'
import { database } from '../../test/database.ts'
import { temporaryFolder, writeFiles } from '../../test/pack-folders.ts'
import { rollback } from '../../test/rollback.ts'
import { digestOf } from '../contract/json.ts'
import { createMigrator, kernelMigrations } from './migrator.ts'
import type { Migration } from './read-migrations.ts'

const log = { info() {}, warn() {} }

const migration = (name: string, up: string, down = 'select 1'): Migration => ({
  name,
  digest: digestOf(up),
  up: async (knex) => void (await knex.raw(up)),
  down: async (knex) => void (await knex.raw(down))
})
const createNote = migration('0001-create-note', 'create table notes.note (id text)', 'drop table notes.note')
const addTitle = migration(
  '0002-add-title',
  'alter table notes.note add title text',
  'alter table notes.note drop title'
)
const notes = { name: 'notes', migrations: [createNote, addTitle] }
const tasks = {
  name: 'my-tasks',
  migrations: [
    migration('0001-create-task', 'create table my_tasks.task (id text)', 'drop table my_tasks.task')
  ]
}

const recordsOf = (knex: Knex, pack: string): Promise<string[]> =>
  knex.withSchema('kernel').from('migration').where({ pack }).orderBy('name').pluck('name')
const hasSchema = async (knex: Knex, name: string) =>
  (await knex.raw('select 1 from pg_namespace where nspname = ?', [name])).rowCount === 1

t.test('applies what is pending, in order; one query tells that nothing is', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  const first = await migrator.migrate([notes, tasks, { name: 'plain', migrations: [] }])
  t.same(first.applied, [
    { pack: 'notes', name: '0001-create-note' },
    { pack: 'notes', name: '0002-add-title' },
    { pack: 'my-tasks', name: '0001-create-task' }
  ])
  t.equal(first.failed.size + first.newer.size, 0)
  t.same(await recordsOf(knex, 'notes'), ['0001-create-note', '0002-add-title'])
  t.same(Object.keys(await knex('note').withSchema('notes').columnInfo()), ['id', 'title'])
  t.equal(await knex.schema.withSchema('my_tasks').hasTable('task'), true)
  const queries: string[] = []
  knex.on('query', ({ sql }) => queries.push(sql))
  t.same((await migrator.migrate([notes, tasks])).applied, [])
  t.equal(queries.length, 1)
})

t.test('where no pack has a migration nothing is made', async (t) => {
  const { knex } = await database(t)
  t.same((await createMigrator({ knex, log }).migrate([{ name: 'plain', migrations: [] }])).applied, [])
  t.equal(await hasSchema(knex, 'kernel'), false)
})

t.test('a failure takes its own migration back, stops its pack’s later ones and no others', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  const broken: Migration = {
    ...addTitle,
    up: async (knex) => {
      await knex.raw('create table notes.half (id text)')
      await knex.raw('insert into notes.nothing values (?)', ['the-secret'])
    }
  }
  const later = migration('0003-add-color', 'alter table notes.note add color text')
  const { applied, failed } = await migrator.migrate([
    { name: 'notes', migrations: [createNote, broken, later] },
    tasks
  ])
  t.same(
    applied.map(({ name }) => name),
    ['0001-create-note', '0001-create-task']
  )
  t.equal(failed.get('notes')?.message, '0002-add-title: relation "notes.nothing" does not exist (42P01)')
  t.notMatch(failed.get('notes')?.stack, 'the-secret')
  t.equal(await knex.schema.withSchema('notes').hasTable('half'), false)
  t.same(await recordsOf(knex, 'notes'), ['0001-create-note'])
  const again = await migrator.migrate([{ name: 'notes', migrations: [createNote, addTitle, later] }])
  t.same(
    again.applied.map(({ name }) => name),
    ['0002-add-title', '0003-add-color']
  )
})

t.test('an older instance leaves alone what a newer one applied', async (t) => {
  const { knex } = await database(t)
  await createMigrator({ knex, log }).migrate([notes])
  const older = await createMigrator({ knex, log }).migrate([
    { name: 'notes', migrations: [createNote] },
    tasks
  ])
  t.same([...older.newer], ['notes'])
  t.equal(older.failed.size, 0)
  t.same(older.applied, [{ pack: 'my-tasks', name: '0001-create-task' }])
  t.same(await recordsOf(knex, 'notes'), ['0001-create-note', '0002-add-title'])
})

t.test('a migration that was edited after it was applied is refused, until it is put back', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  await migrator.migrate([await kernelMigrations(), notes])
  const edited = migration('0001-create-note', 'create table notes.note (id text, color text)')
  const { failed, applied } = await migrator.migrate([
    { name: 'notes', migrations: [edited, addTitle, migration('0003-add-color', 'select 1')] },
    tasks
  ])
  t.match(failed.get('notes')?.message, /^0001-create-note was edited after it was applied: put it back/)
  t.match(failed.get('notes')?.message, 'packs remove notes --drop-data')
  t.same(applied, [{ pack: 'my-tasks', name: '0001-create-task' }], 'and none behind it is applied')
  t.equal((await migrator.migrate([notes])).failed.size, 0)
  await knex.transaction((trx) => migrator.drop(trx, 'notes'))
  t.equal((await migrator.migrate([{ name: 'notes', migrations: [edited] }])).failed.size, 0, 'or begun anew')
})

t.test('what a version without digests applied is known from then on', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  await migrator.migrate([notes])
  await knex.raw('alter table kernel.migration drop column digest')
  const both = [await kernelMigrations(), notes]
  t.equal((await migrator.migrate(both)).failed.size, 0)
  const edited = migration('0002-add-title', 'alter table notes.note add title varchar')
  const { failed } = await migrator.migrate([{ name: 'notes', migrations: [createNote, edited] }])
  t.match(failed.get('notes')?.message, /^0002-add-title was edited/)
})

t.test('of a migration of the kernel it is only said', async (t) => {
  const { knex } = await database(t)
  const said: unknown[] = []
  const migrator = createMigrator({ knex, log: { info() {}, warn: (about: unknown) => said.push(about) } })
  const kernel = await kernelMigrations()
  await migrator.migrate([kernel])
  const [first, ...rest] = kernel.migrations as [Migration, ...Migration[]]
  const { failed } = await migrator.migrate([
    { ...kernel, migrations: [{ ...first, digest: 'another' }, ...rest] }
  ])
  t.equal(failed.size, 0)
  t.same(said, [{ pack: 'kernel', migration: first.name }])
})

t.test('a migration does not wait behind a long query for long, nor make others wait', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  await migrator.migrate([{ name: 'notes', migrations: [createNote] }])
  const query = await knex.transaction()
  await query.raw('select * from notes.note')
  const { applied, failed } = await migrator.migrate([notes, tasks])
  t.match(failed.get('notes')?.message, /^0002-add-title: .*lock timeout \(55P03\)/)
  t.same(applied, [{ pack: 'my-tasks', name: '0001-create-task' }])
  await query.commit()
  t.same((await migrator.migrate([notes])).applied, [{ pack: 'notes', name: '0002-add-title' }])
})

/** A process of its own that migrates one pack, whose first migration waits for a word if it is told to. */
async function startProcess(
  t: Parameters<typeof temporaryFolder>[0],
  connection: Connection,
  migrations: string
): Promise<ChildProcess> {
  const file = join(await temporaryFolder(t), 'migrate.ts')
  await writeFiles(join(file, '..'), {
    'migrate.ts': `import knexFactory from '${import.meta.resolve('knex')}'
      import { createMigrator } from '${new URL('./migrator.ts', import.meta.url)}'
      const knex = knexFactory({ client: 'pg', connection: ${JSON.stringify(connection)} })
      const say = (message) => new Promise((resolve) => process.send(message, resolve))
      const log = { info() {}, warn() {} }
      const migrations = ${migrations}
      await say('ready')
      await new Promise((resolve) => process.once('message', resolve))
      const { applied, failed } = await createMigrator({ knex, log }).migrate([{ name: 'notes', migrations }])
      await say({ applied, failed: [...failed.values()].map(String) })
      await knex.destroy()
      process.disconnect()`
  })
  const child = fork(file)
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

t.test('two processes at once apply each migration once, also the very first ones', async (t) => {
  const { knex, connection } = await database(t)
  const names = Array.from({ length: 6 }, (_, index) => `000${index + 1}-create-note${index}`)
  const migrations = `${JSON.stringify(names)}.map((name, index) => ({
    name,
    up: (knex) => knex.raw('create table notes.note' + index + ' (id text); select pg_sleep(0.02)')
  }))`
  const children = await Promise.all([1, 2].map(() => startProcess(t, connection, migrations)))
  const said = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('go')
  const outcomes = (await Promise.all(said)).map(([outcome]) => outcome)
  t.same(
    outcomes.map(({ failed }) => failed),
    [[], []]
  )
  t.same(outcomes.flatMap(({ applied }) => applied.map(({ name }: Migration) => name)).sort(), names)
  t.same(await recordsOf(knex, 'notes'), names)
})

t.test('kill -9 in the middle leaves neither a lock nor a half of a migration', async (t) => {
  const { knex, connection } = await database(t)
  const child = await startProcess(
    t,
    connection,
    `[{ name: '0001-create-note', up: async (knex) => {
      await knex.raw('create table notes.note (half text)')
      await say('in the middle')
      await knex.raw('set local statement_timeout = 0; select pg_sleep(600)')
    } }]`
  )
  const middle = once(child, 'message')
  child.send('go')
  t.same(await middle, ['in the middle', undefined])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { applied, failed } = await createMigrator({ knex, log }).migrate([notes])
  t.equal(failed.size, 0)
  t.equal(applied.length, 2)
  t.same(Object.keys(await knex('note').withSchema('notes').columnInfo()), ['id', 'title'])
})

t.test('down takes everything back, the schema can be dropped; up again gives the same', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  await migrator.migrate([notes, tasks])
  const columns = await knex('note').withSchema('notes').columnInfo()
  await rollback(knex, notes)
  t.equal(await hasSchema(knex, 'notes'), false)
  t.same(await recordsOf(knex, 'notes'), [])
  t.same(await recordsOf(knex, 'my-tasks'), ['0001-create-task'])
  await migrator.migrate([notes])
  t.same(await knex('note').withSchema('notes').columnInfo(), columns)
})

t.test('the kernel’s own migrations run, go back and run again', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  const kernel = await kernelMigrations()
  const names = kernel.migrations.map(({ name }) => name)
  for (const round of ['first', 'second']) {
    const { applied, failed } = await migrator.migrate([kernel])
    t.same([...failed.values()], [], round)
    t.same(
      applied.map(({ name }) => name),
      names,
      round
    )
    await rollback(knex, kernel)
    t.same(await recordsOf(knex, 'kernel'), [], round)
  }
  t.equal(await hasSchema(knex, 'kernel'), true)
})

t.test('a schema of another owner is neither moved into nor dropped', async (t) => {
  const { knex } = await database(t)
  const migrator = createMigrator({ knex, log })
  await migrator.migrate([tasks])
  await knex.raw('create schema notes; create table notes.customer (id int)')
  const { failed } = await migrator.migrate([notes])
  t.match(failed.get('notes')?.message, /schema notes is there already/)
  const dropped = await knex.transaction((trx) => migrator.drop(trx, 'notes'))
  t.same(dropped, { tables: [], migrations: [] })
  t.same(await knex('notes.customer').select(), [], 'its table is still there')
  const own = await knex.transaction((trx) => migrator.drop(trx, 'my-tasks'))
  t.same(own, { tables: ['task'], migrations: ['0001-create-task'] })
  t.equal(await hasSchema(knex, 'my_tasks'), false)
})
