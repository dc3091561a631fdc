import { openDatabase } from '../../kernel/database/connect.ts'
import { positionsOf } from '../../kernel/database/replica.ts'
import { lineOf } from '../faults.ts'
import type { Check, Finding } from './finding.ts'
import { ok, problem, sizeOf, warning } from './finding.ts'
import { addressOf } from './mask.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

/** More than that is seconds away, or does not move. */
const MUCH = 67_108_864

export const replicaCheck = (target: Target): Check => {
  const url = target.settings.DATABASE_REPLICA_URL
  if (url === undefined)
    return { name: 'replica', look: () => ok('not used: DATABASE_REPLICA_URL is not set') }
  return onDatabase(target, 'replica', async (primary): Promise<Finding> => {
    const where = addressOf(url)
    const { knex, close } = openDatabase({ connectionString: url })
    try {
      const { fault, behind } = await positionsOf(primary, knex)
      if (fault !== undefined)
        return problem(`${where}: ${fault}`, 'name a streaming replica of the server in DATABASE_URL')
      const found = `${where}, ${sizeOf(behind)} behind`
      return behind <= MUCH
        ? ok(found)
        : warning(found, 'see why it does not keep up: until it does, the primary answers')
    } catch (error) {
      return warning(
        `${where} cannot be reached: ${lineOf(error)}`,
        'start it, or correct address, user and password in DATABASE_REPLICA_URL: until then, the primary answers'
      )
    } finally {
      await close()
    }
  })
}
