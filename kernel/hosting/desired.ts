import type { Options, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { Knex } from 'knex'
import type { TObject, TSchema } from 'typebox'
import type { Trx } from '../data/transaction.ts'
import type { Vault } from '../data/vault.ts'
import type { Deployment } from '../deployment.ts'
import { conflict, invalid } from '../errors.ts'
import { closed } from '../gateway/validation.ts'

/** Where a value comes from, strongest first. */
export type Source = 'environment' | 'locked' | 'table' | 'file' | 'default'
export interface Sourced<T> {
  readonly value: T
  readonly from: Source
}
export type SettingValues = Readonly<Record<string, unknown>>
export interface Row {
  readonly name: string
  readonly enabled: boolean | null
  readonly settings: SettingValues
  readonly digest: string | null
}
export interface Patch {
  readonly enabled?: boolean
  readonly settings?: SettingValues
}

type Setting = TSchema & { env?: string; secret?: boolean; default?: unknown }
const propertiesOf = (schema: TObject | undefined) =>
  Object.entries((schema?.properties ?? {}) as Record<string, Setting>)

const given = compilerOf({ strict: false })
const fromText = compilerOf({ strict: false, coerceTypes: 'array' })
type Compiler = ReturnType<typeof compilerOf>

/** Checks values of one setting each; compiled once a setting, for as long as its version lives. */
function compilerOf(options: Options) {
  const ajv = new Ajv(options)
  formats.default(ajv)
  const checks = new WeakMap<Setting, ValidateFunction>()
  return (setting: Setting): ValidateFunction => {
    const known = checks.get(setting)
    if (known) return known
    const schema = { type: 'object', properties: { it: closed(setting as never) } }
    const check = ajv.compile(schema)
    ajv.removeSchema(schema)
    checks.set(setting, check)
    return check
  }
}

/** A value of one setting, or what is wrong with it. */
function checked(
  compiler: Compiler,
  setting: Setting,
  value: unknown
): { value: unknown } | { fault: string } {
  const check = compiler(setting)
  const holder = { it: value }
  return check(holder) ? { value: holder.it } : { fault: check.errors?.[0]?.message ?? 'is wrong' }
}

/** The projects' vault has a place for the platform's own secrets. */
const PLATFORM = 'platform'
const placeOf = (pack: string, setting: string) => `pack/${pack}/${setting}`

interface Deps {
  readonly knex: Knex
  readonly vault: Vault
  readonly deployment: Deployment
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What every instance should run: a table, between what the environment and the deployment's file say. */
export function createDesired({ knex, vault, deployment, environment }: Deps) {
  const fileOf = (pack: string) => deployment.packs[pack] ?? {}

  async function read(on: Knex | Trx = knex): Promise<ReadonlyMap<string, Row>> {
    const rows: Row[] = await on('kernel.pack').select('name', 'enabled', 'settings', 'digest')
    return new Map(rows.map((row) => [row.name, row]))
  }

  function enabled(pack: string, row: Row | undefined): Sourced<boolean> {
    const { enabled, locked } = fileOf(pack)
    if (locked?.enabled !== undefined) return { value: locked.enabled, from: 'locked' }
    if (typeof row?.enabled === 'boolean') return { value: row.enabled, from: 'table' }
    if (enabled !== undefined) return { value: enabled, from: 'file' }
    return { value: deployment.enabled, from: 'default' }
  }

  function source(
    pack: string,
    name: string,
    setting: Setting,
    row: Row | undefined
  ): Sourced<unknown> | undefined {
    const { settings, locked } = fileOf(pack)
    const text = setting.env && environment[setting.env]
    if (text) return { value: text, from: 'environment' }
    if (locked?.settings && name in locked.settings) return { value: locked.settings[name], from: 'locked' }
    if (row && name in row.settings) return { value: row.settings[name], from: 'table' }
    if (settings && name in settings) return { value: settings[name], from: 'file' }
    if (setting.default !== undefined) return { value: setting.default, from: 'default' }
  }

  /** Settings ready for use, secrets opened. Throws an Error of one line that names the setting. */
  async function settings(
    pack: string,
    schema: TObject | undefined,
    row: Row | undefined
  ): Promise<SettingValues> {
    const values: Record<string, unknown> = {}
    for (const [name, setting] of propertiesOf(schema)) {
      const found = source(pack, name, setting, row)
      if (!found) {
        if (schema?.required?.includes(name)) throw new Error(`setting ${name} is required`)
        continue
      }
      let { value } = found
      if (found.from === 'table' && setting.secret)
        value = JSON.parse(await vault.open(PLATFORM, placeOf(pack, name), String(value)))
      const result = checked(found.from === 'environment' ? fromText : given, setting, value)
      if ('fault' in result) throw new Error(`setting ${name} (${found.from}) ${result.fault}`)
      values[name] = result.value
    }
    return values
  }

  /** Settings as they may be shown: secrets only as set or not. */
  function shown(pack: string, schema: TObject | undefined, row: Row | undefined) {
    return Object.fromEntries(
      propertiesOf(schema).map(([name, setting]) => {
        const found = source(pack, name, setting, row)
        const value = setting.secret ? { set: found !== undefined } : found?.value
        return [name, { value: value ?? null, from: found?.from ?? 'default' }]
      })
    )
  }

  /** What is wrong with the environment variables that a pack names, a line each. */
  function environmentFaults(schema: TObject | undefined): string[] {
    return propertiesOf(schema).flatMap(([, setting]) => {
      const text = setting.env && environment[setting.env]
      const result = text ? checked(fromText, setting, text) : { value: undefined }
      return 'fault' in result ? [`${setting.env} ${result.fault}`] : []
    })
  }

  /** The row after a change; 400 for what the schema does not take, 409 for what is not ours to change. */
  async function patched(
    pack: string,
    schema: TObject | undefined,
    row: Row | undefined,
    patch: Patch
  ): Promise<Row> {
    const { locked } = fileOf(pack)
    if (patch.enabled !== undefined && locked?.enabled !== undefined && patch.enabled !== locked.enabled)
      throw conflict(`Whether ${pack} is on is locked by the deployment`, {
        code: 'locked',
        param: '/enabled'
      })
    const known = new Map(propertiesOf(schema))
    const next: Record<string, unknown> = { ...row?.settings }
    for (const [name, value] of Object.entries(patch.settings ?? {})) {
      const param = `/settings/${name}`
      const setting = known.get(name)
      if (!setting) throw invalid(param, `${pack} has no setting ${name}`)
      const strong = source(pack, name, setting, row)?.from
      if (strong === 'environment' || strong === 'locked')
        throw conflict(`${name} is set by the ${strong === 'locked' ? 'deployment' : 'environment'}`, {
          code: 'locked',
          param
        })
      if (value === null) delete next[name]
      else {
        const result = checked(given, setting, value)
        if ('fault' in result) throw invalid(param, `${param} ${result.fault}`)
        next[name] = setting.secret
          ? await vault.seal(PLATFORM, placeOf(pack, name), JSON.stringify(value))
          : value
      }
    }
    const enabled = patch.enabled ?? row?.enabled ?? null
    return { name: pack, enabled, settings: next, digest: row?.digest ?? null }
  }

  async function write(trx: Trx, row: Row): Promise<void> {
    const { name, ...rest } = row
    await trx('kernel.pack')
      .insert({ name, ...rest, settings: JSON.stringify(row.settings) })
      .onConflict('name')
      .merge(['enabled', 'settings', 'digest'])
  }

  return { read, enabled, settings, shown, environmentFaults, patched, write }
}
export type Desired = ReturnType<typeof createDesired>
