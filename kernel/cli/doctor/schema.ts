import type { Knex } from 'knex'
import { readMigrations } from '../../hosting/migrations.ts'
import type { Migrating } from '../../hosting/migrator.ts'
import { kernelMigrations } from '../../hosting/migrator.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, warning, worst } from './finding.ts'
import { scanPacks } from './pack-folders.ts'
import type { Patient } from './patient.ts'
import { onDatabase } from './patient.ts'

interface Applied {
  readonly pack: string
  readonly name: string
}

/** What the files here say, against what was applied. */
export const migrationsCheck = (patient: Patient): Check =>
  onDatabase(patient, 'migrations', async (knex): Promise<Finding> => {
    const rows = await applied(knex)
    if (rows.length === 0) return ok('none yet: applied at the first start')
    const here = [await kernelMigrations(), ...(await packMigrations(patient))]
    const isRunning = patient.living.length > 0
    const findings = here.flatMap(({ name, migrations }) => {
      const done = new Set(rows.filter(({ pack }) => pack === name).map((row) => row.name))
      // A pack that was never on has its tables made when it is.
      return done.size > 0 ? compare(name, done, new Set(migrations.map((it) => it.name)), isRunning) : []
    })
    return worst(findings, `${rows.length} applied, none pending`)
  })

function compare(pack: string, done: Set<string>, known: Set<string>, isRunning: boolean): Finding[] {
  const newer = done.difference(known)
  const pending = known.difference(done)
  const findings: Finding[] = []
  if (newer.size > 0)
    findings.push(
      warning(
        `${pack}: the database has ${[...newer].join(', ')}, which this installation does not know`,
        'install the version here that the other instances have: the tables are newer than the code'
      )
    )
  if (pending.size === 0) return findings
  const found = `${pack}: ${count(pending.size, 'migration')} pending (${[...pending].join(', ')})`
  return [...findings, isRunning ? warning(found, 'restart the platform, or reload the pack') : ok(found)]
}

async function applied(knex: Knex): Promise<Applied[]> {
  const [{ there }] = (await knex.raw(`select to_regclass('kernel.migration') is not null as there`)).rows
  return there ? knex('kernel.migration').select('pack', 'name') : []
}

/** A malformed one is told where packs are looked at. */
async function packMigrations({ deployment }: Patient): Promise<Migrating[]> {
  const found = deployment instanceof Error ? [] : await scanPacks(deployment)
  const read = found.map(async (pack) =>
    pack instanceof Error
      ? []
      : readMigrations(pack.folder).then(
          (migrations) => ({ name: pack.name, migrations }),
          () => []
        )
  )
  return (await Promise.all(read)).flat()
}
