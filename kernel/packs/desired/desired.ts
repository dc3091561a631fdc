import type { Knex } from 'knex'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { conflict, invalid } from '../../contract/errors.ts'
import type { Trx } from '../../database/transaction.ts'
import type { Vault } from '../../database/vault/vault.ts'
import type { Deployment } from '../../deployment.ts'

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

export type Setting = TSchema & { env?: string; secret?: boolean; default?: unknown }
export const settingsOf = (schema: TObject | undefined): [string, Setting][] =>
  Object.entries(schema?.properties ?? {})
/** An environment variable as what the schema says, where that is possible. */
export const fromText = (setting: Setting, text: string): unknown => Value.Convert(setting, text)
/** What is wrong with a value, as it goes on after its name. */
export const faultOf = (setting: Setting, value: unknown) => Value.Errors(setting, value)[0]?.message

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
  const textOf = ({ env }: Setting) => (env && environment[env]) || undefined

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

  function source(pack: string, name: string, setting: Setting, row?: Row): Sourced<unknown> | undefined {
    const { settings = {}, locked } = fileOf(pack)
    const text = textOf(setting)
    if (text) return { value: fromText(setting, text), from: 'environment' }
    if (locked?.settings && name in locked.settings) return { value: locked.settings[name], from: 'locked' }
    if (row && name in row.settings) return { value: row.settings[name], from: 'table' }
    if (name in settings) return { value: settings[name], from: 'file' }
    if (setting.default !== undefined) return { value: setting.default, from: 'default' }
  }

  /** Settings ready for use, secrets opened. Throws an Error of one line that names the setting. */
  async function settings(pack: string, schema: TObject | undefined, row?: Row): Promise<SettingValues> {
    const values: Record<string, unknown> = {}
    for (const [name, setting] of settingsOf(schema)) {
      const found = source(pack, name, setting, row)
      if (!found && schema?.required?.includes(name)) throw new Error(`setting ${name} is required`)
      if (!found) continue
      const sealed = found.from === 'table' && setting.secret
      const value = sealed
        ? JSON.parse(await vault.open(PLATFORM, placeOf(pack, name), String(found.value)))
        : found.value
      const fault = faultOf(setting, value)
      if (fault) throw new Error(`setting ${name} (${found.from}) ${fault}`)
      values[name] = value
    }
    return values
  }

  /** Settings as they may be shown: secrets only as set or not. */
  function shown(pack: string, schema: TObject | undefined, row: Row | undefined) {
    const entries = settingsOf(schema).map(([name, setting]): [string, Sourced<unknown>] => {
      const found = source(pack, name, setting, row)
      const value = setting.secret ? { set: found !== undefined } : (found?.value ?? null)
      return [name, { value, from: found?.from ?? 'default' }]
    })
    return Object.fromEntries(entries)
  }

  /** The row after a change; 400 for what the schema does not take, 409 for what is not ours to change. */
  async function patched(
    pack: string,
    schema: TObject | undefined,
    row: Row | undefined,
    { enabled, settings = {} }: Patch
  ): Promise<Row> {
    const locked = fileOf(pack).locked?.enabled
    if (enabled !== undefined && locked !== undefined && enabled !== locked)
      throw lockedBy('deployment', `Whether ${pack} is on`, '/enabled')
    const known = new Map(settingsOf(schema))
    const next: Record<string, unknown> = { ...row?.settings }
    for (const [name, value] of Object.entries(settings)) {
      const param = `/settings/${name}`
      const setting = known.get(name)
      if (!setting) throw invalid(param, `${pack} has no setting ${name}`)
      const from = source(pack, name, setting, row)?.from
      if (from === 'environment') throw lockedBy('environment', name, param)
      if (from === 'locked') throw lockedBy('deployment', name, param)
      const fault = value === null ? undefined : faultOf(setting, value)
      if (fault) throw invalid(param, `${param} ${fault}`)
      if (value === null) delete next[name]
      else if (!setting.secret) next[name] = value
      else next[name] = await vault.seal(PLATFORM, placeOf(pack, name), JSON.stringify(value))
    }
    return {
      name: pack,
      enabled: enabled ?? row?.enabled ?? null,
      settings: next,
      digest: row?.digest ?? null
    }
  }

  async function write(trx: Trx, row: Row): Promise<void> {
    await trx('kernel.pack')
      .insert({ ...row, settings: JSON.stringify(row.settings) })
      .onConflict('name')
      .merge()
  }

  /** Leaves nothing that was set; whose folder still stands stays off, or it would come back by itself. */
  const forget = (trx: Trx, name: string, stands: boolean): Promise<void> =>
    stands ? write(trx, { ...forgotten, name }) : trx('kernel.pack').where({ name }).delete()

  return { read, enabled, settings, shown, patched, write, forget }
}
export type Desired = ReturnType<typeof createDesired>

const forgotten = { enabled: false, settings: {}, digest: null }
/** Whether a row says no more than that the pack was removed. */
export const isForgotten = ({ enabled, settings, digest }: Row): boolean =>
  enabled === false && digest === null && Object.keys(settings).length === 0

const lockedBy = (whom: string, what: string, param: string) =>
  conflict(`${what} is set by the ${whom}`, { code: 'locked', param })
