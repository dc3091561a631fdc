import { mock } from 'node:test'
import t from 'tap'
import type { Base } from '../../test/credentials.ts'
import { asked, instance, log, migrated, service } from '../../test/credentials.ts'
import { createLastUsed } from './last-used.ts'

const MINUTE = 60_000

const lastUsedOf = async ({ knex }: Base, id: string) =>
  (await knex('kernel.credential').where({ id }).first('lastUsedAt')).lastUsedAt

t.test('when a key was used last', async (t) => {
  const base = await migrated(t)
  let time = Date.parse('2031-05-06T07:08:09.000Z')
  const credentials = await instance(t, base, () => time)
  const { credential } = await asked(credentials, service)
  const other = await asked(credentials, service)
  credentials.touch(credential)
  time += MINUTE
  credentials.touch(credential)
  credentials.touch('jwt_abc')
  t.equal(await lastUsedOf(base, credential), null, 'costs no query')
  await credentials.close()
  t.strictSame(await lastUsedOf(base, credential), new Date(time))
  t.equal(await lastUsedOf(base, other.credential), null)
  t.match((await credentials.list({ ...other, id: 'nobody' }, {})).data, [])
  const older = await instance(t, base, () => time - MINUTE)
  older.touch(credential)
  await older.close()
  t.strictSame(await lastUsedOf(base, credential), new Date(time), 'never goes back')
})

t.test('saved at most once a minute, and kept where that fails', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const saved: string[][] = []
  let away = false
  let next = Promise.withResolvers<void>()
  const lastUsed = createLastUsed({
    log,
    now: () => 1,
    async save(uses) {
      next.resolve()
      next = Promise.withResolvers()
      if (away) throw new Error('away')
      saved.push([...uses.keys()])
    }
  })
  const minutePasses = async () => {
    const attempt = next.promise
    mock.timers.tick(MINUTE)
    await attempt
    await new Promise(setImmediate)
  }
  lastUsed.touch('key_1')
  lastUsed.touch('key_2')
  mock.timers.tick(MINUTE - 1)
  t.strictSame(saved, [])
  mock.timers.tick(1)
  await new Promise(setImmediate)
  t.strictSame(saved, [['key_1', 'key_2']])
  mock.timers.tick(10 * MINUTE)
  t.equal(saved.length, 1, 'nothing to save')
  away = true
  lastUsed.touch('key_3')
  await minutePasses()
  away = false
  lastUsed.touch('key_4')
  await minutePasses()
  t.strictSame(saved[1]?.toSorted(), ['key_3', 'key_4'])
  lastUsed.touch('key_5')
  await lastUsed.close()
  t.strictSame(saved[2], ['key_5'])
})
