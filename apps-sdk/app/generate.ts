import { typesOf } from '../client/generate.ts'
import type { CatalogueEntry } from './src/catalogue/entry.ts'

const SOURCE = `// Made from the capability catalogue of a platform with all packs:
// UPDATE=1 npx tap apps-sdk/app/catalogue.test.ts
`

interface Offered {
  readonly capabilities: ReadonlyMap<string, CatalogueEntry>
  /** Parameters of `storage.…`, by that name. */
  readonly storage: Readonly<Record<string, object>>
}

/** `src/context/capabilities.ts`: types for authors, who need nothing of it at run time. */
export async function capabilityTypes({ capabilities, storage }: Offered): Promise<string> {
  const schemas = Object.fromEntries([
    ...[...capabilities].flatMap(([name, { params, result = {} }]) => [
      [`${name}.params`, params],
      [`${name}.result`, result]
    ]),
    ...Object.entries(storage).map(([name, params]) => [`${name}.params`, params])
  ])
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
  const of = (name: string) => `components['schemas']['${name}']`
  const entries = [...capabilities].map(
    ([name, { title, description, reaches }]) =>
      `  /** ${title}. ${description}. ${reaches}. */\n  '${name}': { params: ${of(`${name}.params`)}; result: ${of(`${name}.result`)} }\n`
  )
  const stored = Object.keys(storage).map(
    (name) => `  ${name.slice('storage.'.length)}: ${of(`${name}.params`)}\n`
  )
  return [
    SOURCE,
    interfaceOf(await typesOf(document, '')),
    `\n/** The capabilities by name. Those of packs of your own are added by declaration merging. */\n`,
    `export interface Capabilities {\n${entries.join('')}}\n`,
    `\n/** Parameters of the methods of \`storage\`. */\nexport interface StorageParameters {\n${stored.join('')}}\n`
  ].join('')
}

/** Without what paths would have. */
const interfaceOf = (types: string) =>
  types.slice(types.indexOf('interface components'), types.indexOf('export type $defs'))

/** `src/catalogue/catalogue.ts`: the same at run time, for the test double and the command. */
export function catalogueText({ capabilities, storage }: Offered): string {
  const shown = Object.fromEntries(
    [...capabilities].map(([name, { title, description, risk, reaches, narrows, params, result }]) => [
      name,
      { title, description, risk, reaches, narrows, params, result }
    ])
  )
  const json = (entries: Readonly<Record<string, object>>) =>
    `{\n${Object.entries(entries)
      .map(([name, entry]) => `  '${name}': ${JSON.stringify(entry)}`)
      .join(',\n')}\n}`
  return [
    SOURCE,
    `\nimport type { CatalogueEntry } from './entry.ts'\n`,
    `\n/** The capabilities that a platform with all packs offers, by name. */`,
    `\nexport const catalogue: Readonly<Record<string, CatalogueEntry>> = ${json(shown)}\n`,
    `\n/** JSON Schema of the parameters of \`storage.…\`. */`,
    `\nexport const storageParameters: Readonly<Record<string, object>> = ${json(storage)}\n`
  ].join('')
}
