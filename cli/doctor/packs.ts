import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Knex } from 'knex'
import { countHeld } from '../../kernel/events/facts-held.ts'
import { environmentFaults } from '../../kernel/packs/loader/environment.ts'
import { pageDigest } from '../../kernel/packs/loader/page-digest.ts'
import { installedVersion } from '../../process/start.ts'
import { invocation } from '../output.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, warning, worst } from './finding.ts'
import { loadInPlace, scanPacks } from './pack-folders.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

export const packChecks = (target: Target): readonly Check[] => [
  { name: 'pack folders', look: () => folders(target), seconds: 60 },
  { name: 'console', look: () => pages(target) },
  onDatabase(target, 'instances', async () => instances(target)),
  onDatabase(target, 'packs', (knex) => states(knex, target)),
  onDatabase(target, 'facts', facts)
]

/** As the platform will load them, and whether the variables that they name are right. */
async function folders({ deployment, settings }: Target): Promise<Finding> {
  if (deployment instanceof Error)
    return warning('not checked: which folders there are is not known', 'see deployment')
  const found = await scanPacks(deployment)
  const findings: Finding[] = []
  const loaded = await Promise.allSettled(found.map(loadInPlace))
  for (const [at, it] of loaded.entries()) {
    if (it.status === 'fulfilled') continue
    const pack = found[at]
    const name = pack instanceof Error ? 'a pack' : pack?.name
    findings.push(
      problem(`${name} cannot be loaded: ${it.reason.message}`, 'correct its files, or take the folder away')
    )
  }
  const scan = async () =>
    new Map(found.flatMap((it) => (it instanceof Error ? [] : [[it.name, it] as const])))
  for (const fault of await environmentFaults({ scan, load: loadInPlace }, settings.environment))
    findings.push(problem(fault, 'change this variable: the platform does not start with it'))
  return worst(findings, `${count(found.length, 'pack')} can be loaded`)
}

/** Whether the console was built of the pages that lie in the folders now. */
async function pages({ deployment }: Target): Promise<Finding> {
  if (deployment instanceof Error)
    return warning('not checked: which folders there are is not known', 'see deployment')
  const found = (await scanPacks(deployment)).flatMap((it) => (it instanceof Error ? [] : [it]))
  const console = found.find(({ name }) => name === 'console')
  if (!console) return ok('it is not there')
  const built = await readBuild(console.folder)
  const advice = `npm run build:console, then \`${invocation} packs reload console\` where the platform runs`
  if (!built) return warning('it has not been built', advice)
  const findings: Finding[] = []
  for (const { name, folder } of found) {
    const digest = await pageDigest(folder)
    if (digest === null || built[name] === digest) continue
    const isBeside = dirname(folder) === dirname(console.folder)
    const what = built[name] === undefined ? 'is not built in' : 'is another one than was built in'
    findings.push(
      warning(
        `the page of ${name} ${what}`,
        isBeside ? advice : `put the pack beside the console (${dirname(console.folder)}), then ${advice}`
      )
    )
  }
  return worst(findings, `built of the pages of ${count(Object.keys(built).length, 'pack')}`)
}

/** Digests of pages by pack, as the build noted them; undefined where there is none. */
async function readBuild(folder: string): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'dist', 'pages.json'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function instances({ living }: Target): Finding {
  if (living.length === 0) return ok('none runs')
  const installed = installedVersion()
  const versions = [...new Set(living.map(({ version }) => version))].sort()
  const found = `${count(living.length, 'instance')} of version ${versions.join(', ')}`
  if (versions.length > 1) return warning(found, 'bring all of them to the same version')
  if (versions[0] === installed) return ok(found)
  return warning(
    `${found}; installed here is ${installed}`,
    'restart what runs, or install the same version here'
  )
}

interface State {
  readonly pack: string
  readonly status: string
  readonly instance: number
  readonly reason: string | null
}

/** As the instances that run say themselves. */
async function states(knex: Knex, { living }: Target): Promise<Finding> {
  if (living.length === 0) return ok('known while the platform runs')
  const rows: State[] = await knex('kernel.pack_instance')
    .whereIn(
      'instance',
      living.map(({ id }) => id)
    )
    .orderBy(['pack', 'instance'])
    .select('pack', 'status', 'instance', 'reason')
  const findings = rows.flatMap(({ pack, status, instance, reason }): Finding[] => {
    const said = `${pack} on instance ${instance}: ${reason ?? status}`
    if (status === 'failed')
      return [problem(`failed: ${said}`, `correct the reason, then \`${invocation} packs reload ${pack}\``)]
    if (status === 'waiting for code')
      return [warning(said, 'put the same files of the pack on every machine')]
    return []
  })
  const running = new Set(rows.filter(({ status }) => status === 'running').map(({ pack }) => pack))
  return worst(findings, `${running.size} run`)
}

async function facts(knex: Knex): Promise<Finding> {
  const [{ there }] = (await knex.raw(`select to_regclass('kernel.fact_held') is not null as there`)).rows
  if (!there) return ok('none yet')
  const held = (await countHeld(knex)).filter(({ deadLettered, waiting }) => deadLettered > 0 || waiting > 0)
  const findings = held.map(({ pack, deadLettered, waiting }) => {
    if (deadLettered === 0) return ok(`${pack} tries ${count(waiting, 'fact')} again`)
    const rest = waiting > 0 ? `, ${waiting} are tried again` : ''
    return warning(
      `${pack} has ${count(deadLettered, 'dead-lettered fact')}${rest}`,
      `see why in GET /v1/packs/${pack}, then POST /v1/packs/${pack}/dead-lettered/<fact>/replay`
    )
  })
  return worst(findings, 'none is held back')
}
