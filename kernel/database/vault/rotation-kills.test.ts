// tier: whole
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { rounds } from '../../../test/rounds.ts'
import { rotateKeyFile } from './rotation.ts'
import { check, child, log, setUp } from './rotation-fixture.ts'

/** Of so many steps one is the last of a process. */
const STRIDE = rounds(3, 1)

for (const stop of ['before', 'issued'])
  t.test(`kill -9 at ${STRIDE === 1 ? 'every step' : `one of ${STRIDE} steps`} (${stop})`, async (t) => {
    const site = await setUp(t)
    const { knex, dataDir, file, keys } = site
    const tables = ['kernel.data_key', 'kernel.signing_key']
    const rows = await Promise.all(tables.map((table) => knex(table).select('id', 'wrapped', 'masterKey')))
    const content = readFileSync(file, 'utf8')
    const kept = new Set<number>()
    for (let at = 1; ; at += STRIDE) {
      writeFileSync(file, content)
      for (const [index, table] of tables.entries())
        for (const { id, ...row } of rows[index] ?? []) await knex(table).where({ id }).update(row)
      const { code, steps } = await child(site, { STOP: stop, STOP_AT: String(at) })
      await check(t, site, `killed at step ${at}`)
      kept.add(keys().length)
      if (code === 0) {
        t.ok(at - STRIDE <= steps && steps < at, 'up to its end')
        break
      }
      const { lost, keys: left } = await rotateKeyFile({ knex, dataDir, log })
      t.strictSame(
        [lost, left, existsSync(file), readdirSync(dataDir).length],
        [0, 1, true, 1],
        'and finished'
      )
      await check(t, site, 'by the next rotation')
    }
    t.strictSame([...kept].toSorted(), [1, 2], 'also while there were two')
  })
