// npm run test:load [-- --minutes 30] [-- --share 0.7]: two instances on PostgreSQL and Redis (TEST_DATABASE_URL,
// TEST_REDIS_URL), with everything on, are held at that share of the CPU that they can take, and watched. Exit code 1 where
// something failed or grew.
import { parseArgs } from 'node:util'
import { withScope } from '../bench/scope.ts'
import { load } from './load.ts'
import type { Reading } from './verdict.ts'
import { judge, rowOf, tableOf } from './verdict.ts'

const options = {
  minutes: { type: 'string', default: '30' },
  share: { type: 'string', default: '0.7' }
} as const
const { values } = parseArgs({ options })
const minutes = Number(values.minutes)
/** What is loaded and compiled late weighs more in a short time. */
const bound = minutes >= 10 ? 0.1 : 0.5
if (!process.env.TEST_REDIS_URL) console.error('TEST_REDIS_URL names no Redis: signals go over PostgreSQL')

/** Each as it comes: what fails is told at once. */
function heard(reading: Reading): void {
  console.log(rowOf(reading).join('  '))
  for (const failure of new Set(reading.failed.slice(0, 5))) console.log(failure)
}

await withScope(async (scope) => {
  const order = { seconds: minutes * 60, every: 10, calibrating: 10, share: Number(values.share) }
  const loaded = await load(scope, { ...order, heard })
  console.log(tableOf(loaded.readings))
  console.log(`At their most the instances took ${loaded.most.toFixed(2)} cores (the first row).`)
  for (const { what, found, isMet } of judge(loaded, bound)) {
    console.log(`${isMet ? 'ok    ' : 'NOT OK'} ${what}: ${found}`)
    if (!isMet) process.exitCode = 1
  }
})
