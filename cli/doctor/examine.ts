import { within } from '../../kernel/database/deadline.ts'
import { lineOf } from '../faults.ts'
import { configurationChecks } from './configuration.ts'
import type { Check, Finding } from './finding.ts'
import { problem } from './finding.ts'
import { folderChecks } from './folder.ts'
import { machineChecks } from './machine.ts'
import { createMask } from './mask.ts'
import { modelsCheck } from './models.ts'
import { packChecks } from './packs.ts'
import { portCheck } from './port.ts'
import { redisChecks } from './redis.ts'
import { replicaCheck } from './replica.ts'
import { migrationsCheck } from './schema.ts'
import { masterKeyCheck } from './secrets.ts'
import { serverChecks } from './server.ts'
import type { Target } from './target.ts'
import { withTarget } from './target.ts'
import { transactionChecks } from './transactions.ts'
import { transportChecks } from './transport.ts'

/** A row of the report. */
export type Examined = { readonly check: string } & Finding

const SECONDS = 15

/** Every check, one after the other, in the order in which a person would look. */
export const checksOf = (target: Target): readonly Check[] => [
  ...machineChecks(target),
  ...folderChecks(target),
  ...configurationChecks(target),
  portCheck(target),
  ...serverChecks(target),
  ...transportChecks(target),
  replicaCheck(target),
  migrationsCheck(target),
  ...transactionChecks(target),
  ...redisChecks(target),
  masterKeyCheck(target),
  ...packChecks(target),
  modelsCheck(target)
]

/** Looks at everything, also when some of it fails, and tells no secret. */
export async function examine(env: NodeJS.ProcessEnv): Promise<readonly Examined[]> {
  const mask = createMask(env)
  return withTarget(env, async (target) => {
    const rows: Examined[] = []
    for (const check of checksOf(target)) {
      const finding = await lookAt(check)
      const found = mask(finding.found)
      rows.push(
        finding.status === 'ok'
          ? { check: check.name, status: 'ok', found }
          : { check: check.name, status: finding.status, found, advice: mask(finding.advice) }
      )
    }
    return rows
  })
}

export async function lookAt(check: Check): Promise<Finding> {
  const { seconds = SECONDS } = check
  try {
    return await within(seconds * 1_000, Promise.resolve(check.look()))
  } catch (error) {
    return problem(
      `could not be checked: ${lineOf(error)}`,
      'try again; what else is wrong may be the reason'
    )
  }
}
