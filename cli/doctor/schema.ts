import type { Knex } from 'knex'
import type { Migrating } from '../../kernel/database/migrator.ts'
import { kernelMigrations } from '../../kernel/database/migrator.ts'
import { readMigrations } from '../../kernel/database/read-migrations.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, warning, worst } from './finding.ts'
import { scanPacks } from './pack-folders.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

interface Applied {
  readonly pack: string
  readonly name: string
  readonly digest?: string | null
}

/** What the files here say, against what was applied. */
export const migrationsCheck = (target: Target): Check =>
  onDatabase(target, 'migrations', async (knex): Promise<Finding> => {
    const rows = await applied(knex)
    if (rows.length === 0) return ok('none yet: applied at the first start')
    const here = [await kernelMigrations(), ...(await packMigrations(target))]
    const isRunning = target.living.length > 0
    const findings = here.flatMap(({ name, migrations }) => {
      const done = new Map(rows.filter(({ pack }) => pack === name).map((row) => [row.name, row.digest]))
      // A pack that was never on has its tables made when it is.
      if (done.size === 0) return []
      const edited = migrations.filter((it) => (done.get(it.name) ?? it.digest) !== it.digest)
      const known = new Set(migrations.map((it) => it.name))
      return [
        ...edited.map((it) => changed(name, it.name)),
        ...compare(name, new Set(done.keys()), known, isRunning)
      ]
    })
    return worst(findings, `${rows.length} applied, none pending`)
  })

const changed = (pack: string, migration: string): Finding =>
  problem(
    `${pack}: ${migration} was edited after it was applied`,
    'put the file back, and change the tables in a further migration'
  )

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
  return there ? knex('kernel.migration').select('*') : []
}

/** A malformed one is reported where packs are looked at. */
async function packMigrations({ deployment }: Target): Promise<Migrating[]> {
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
