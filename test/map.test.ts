import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseDeployment, root } from '../kernel/deployment.ts'
import type { Manifest } from '../kernel/packs/loader/manifest.ts'
import { Environment, readSettings } from '../kernel/settings.ts'
import { manifestsOf } from './manifests.ts'

type Described = TSchema & {
  env?: string
  secret?: boolean
  default?: unknown
  description?: string
  properties?: never
}

const plugins = join(root, 'plugins')
const manifests = manifestsOf(t)

const settingsOf = ({ settings }: Pick<Manifest, 'settings'>) =>
  Object.entries((settings?.properties ?? {}) as Record<string, Described>)
const code = (value: unknown) => (value === undefined || value === '' ? '' : `\`${value}\``)

/** Not aligned, or one long cell would make every row another one. */
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

/** Compares what stands between two comments of a page with what it is made of, or writes it with UPDATE=1. */
async function section(page: string, name: string, table: string) {
  const file = join(root, page)
  const text = await readFile(file, 'utf8')
  const [, begin, found, end] =
    new RegExp(
      `(<!-- ${name}: .*UPDATE=1 npx tap test/map\\.test\\.ts -->)\n(.*?)(<!-- /${name} -->)`,
      's'
    ).exec(text) ?? []
  if (begin === undefined) throw new Error(`${page} has no section ${name}`)
  const wanted = `\n${table}\n\n`
  if (process.env.UPDATE)
    await writeFile(
      file,
      text.replace(`${begin}\n${found}${end}`, () => `${begin}\n${wanted}${end}`)
    )
  return { found: process.env.UPDATE ? wanted : found, wanted }
}

t.test('the map of packs in the README', async (t) => {
  const rows = (await manifests).map(({ name, area, summary = '' }) => [
    `[${name}](plugins/${name}/README.md)`,
    area,
    summary
  ])
  const { found, wanted } = await section(
    'README.md',
    'packs',
    tableOf(['pack', 'area', 'what it is for'], rows)
  )
  t.equal(found, wanted, 'else write it with UPDATE=1')
  t.ok(rows.length >= 12)
})

t.test('the variables of the kernel', async (t) => {
  const properties = Object.entries(Environment.properties as Record<string, Described>)
  for (const [name, { description }] of properties) t.ok(description, `${name} is described`)
  const rows = properties.map(([name, { default: value, description = '' }]) => [
    code(name),
    code(value),
    description
  ])
  const table = tableOf(['variable', 'default', 'what it does'], rows)
  const { found, wanted } = await section('docs/configuration.md', 'variables', table)
  t.equal(found, wanted, 'else write it with UPDATE=1')
})

t.test('the variables of packs', async (t) => {
  const all = (await manifests).flatMap((manifest) =>
    settingsOf(manifest).map(([setting, schema]) => ({ pack: manifest.name, setting, ...schema }))
  )
  for (const { pack, setting, description } of all) t.ok(description, `${pack}: ${setting} is described`)
  const rows = all
    .filter(({ env }) => env)
    .map(({ pack, setting, env, secret, default: value, description = '' }) => [
      `[${pack}](../plugins/${pack}/README.md)`,
      code(setting),
      code(env),
      code(value),
      secret ? `${description} (secret)` : description
    ])
  const table = tableOf(['pack', 'setting', 'variable', 'default', 'what it does'], rows)
  const { found, wanted } = await section('docs/configuration.md', 'settings', table)
  t.equal(found, wanted, 'else write it with UPDATE=1')
})

t.test('the examples of deployment files are such files, with settings that there are', async (t) => {
  const known = new Map((await manifests).map((manifest) => [manifest.name, new Map(settingsOf(manifest))]))
  const text = await readFile(join(root, 'docs/configuration.md'), 'utf8')
  const examples = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json]) => JSON.parse(json as string))
  t.ok(examples.length > 0)
  for (const example of examples) {
    const { folders, packs } = parseDeployment(example, join(root, 'config'))
    t.ok(folders.includes(plugins), 'the packs of the platform stay')
    for (const [pack, { settings, locked }] of Object.entries(packs))
      for (const [name, value] of Object.entries({ ...settings, ...locked?.settings })) {
        const schema = known.get(pack)?.get(name)
        t.ok(schema && Value.Check(schema, value), `${pack}: ${name}`)
      }
  }
})

t.test('every variable that the page names is one', async (t) => {
  const text = await readFile(join(root, 'docs/configuration.md'), 'utf8')
  const known = new Set([
    ...Object.keys(Environment.properties),
    ...(await manifests).flatMap((manifest) => settingsOf(manifest).flatMap(([, { env }]) => env ?? []))
  ])
  const named = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(
    ([, name]) => name as string
  )
  t.ok(named.length > known.size / 2)
  t.same(
    [...new Set(named)].filter((name) => !known.has(name)),
    []
  )
})

t.test('what the page says of modes holds', async (t) => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const faults = (env: Record<string, string>) => readSettings(env).faults.join('\n')
  t.equal(faults({}), '')
  t.match(faults({ NODE_ENV: 'production' }), /PLATFORM_SECRET_KEY is required/)
  t.equal(faults({ NODE_ENV: 'production', PLATFORM_SECRET_KEY: key }), '')
  t.equal(faults({ API_AUTH_REQUIRED: 'false' }), '')
  t.match(faults({ API_AUTH_REQUIRED: 'false', HOST: '0.0.0.0' }), /loopback/)
  t.match(
    faults({ API_AUTH_REQUIRED: 'false', NODE_ENV: 'production', PLATFORM_SECRET_KEY: key }),
    /must not be false in production/
  )
  t.match(faults({ AUTH_URL: 'https://id.example.com' }), /needs BASE_URL/)
  const { settings } = readSettings({ NODE_ENV: 'staging', PORT: '', DATA_DIR: 'here' })
  t.match(settings, {
    DEPLOYMENT: 'staging',
    PORT: 3000,
    production: false,
    DATA_DIR: join(process.cwd(), 'here')
  })
  t.equal(readSettings({ NODE_ENV: 'staging', DEPLOYMENT: 'other' }).settings.DEPLOYMENT, 'other')
})
