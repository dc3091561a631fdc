import type { MountedRoute } from '../../kernel/http/routes.ts'
import { needOf } from '../../kernel/identity/scopes.ts'
import type { Described } from './described.ts'
import type { Schema } from './routes.ts'
import { partOf, responsesOf, titled } from './routes.ts'
import type { Column, Index, Table } from './tables.ts'

/** What a pack shows to callers, to other packs and to its database: a change of it is seen in review. */
export function surfaceOf(pack: Described): string {
  const { name, routes, contract, tables } = pack
  const parts = [
    `# ${name}: surface`,
    'Made from the running platform; `UPDATE=1 npx tap test/conformance.test.ts` writes it anew.',
    section('Routes', grid(['', 'needs', 'takes', 'gives'], routes.map(routeRow))),
    section('Shapes', shapesOf(routes)),
    section('Facts', list(contract.facts)),
    section('Points', list(contract.points)),
    section('Between packs', bindingsOf(pack)),
    section('For apps', capabilitiesOf(pack)),
    section('Settings', grid(['', 'type', 'default', 'environment'], settingRows(pack))),
    ...tables.map((table) => section(`Table ${pack.schema}.${table.name}`, tableText(table)))
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const section = (title: string, text: string) => (text ? `## ${title}\n\n${text}` : '')
const list = (names: ReadonlyMap<string, string>) =>
  [...names].map(([name, type]) => `- \`${name}\`: ${type}`).join('\n')

/** A table whose columns stand below each other in the text too. */
function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[], fill = ' ') =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0, fill)).join(' | ')} |`
  const [first = [], ...others] = cells
  return [
    line(first),
    line(
      head.map(() => ''),
      '-'
    ),
    ...others.map((row) => line(row))
  ].join('\n')
}

function routeRow(route: MountedRoute): readonly string[] {
  const { method, path, access } = route
  const query = Object.keys(partOf(route, 'querystring')?.properties ?? {}).map((name) => `?${name}`)
  const body = access.body ?? (partOf(route, 'body')?.properties ? shape(partOf(route, 'body')) : '')
  const gives = responsesOf(route).map(
    ([status, reply]) => `${status} ${shape(reply.properties?.data ?? reply)}`
  )
  const limit = access.limit === 'none' ? 'not counted' : access.limit
  const tokens = access.tokens && (access.tokens === 'agents' ? 'tokens' : 'tokens of all agents')
  const words = [
    limit,
    tokens,
    access.secret && `secret ${access.secret}`,
    access.endless && 'without end'
  ].filter(Boolean)
  return [
    `${method} ${path}`,
    [needs(route), ...words].join(', '),
    [body, ...query].filter(Boolean).join(' '),
    gives.join(', ')
  ]
}

function needs({ method, path, access: { by, scope } }: MountedRoute): string {
  if (by === 'optional') return 'nothing, or ownership'
  if (by) return by === 'public' ? 'nothing' : 'what its path holds'
  const { any, always } = needOf(method, path, scope)
  return always ? any.join(' or ') || 'a credential' : 'ownership'
}

/** A schema in a word or two: its title, else what it is. */
function shape(schema: Schema | undefined): string {
  if (!schema) return 'nothing'
  const { title, type, items, anyOf, content, properties } = schema
  if (title) return title
  if (content) return Object.keys(content).join(' or ')
  if (schema.format === 'date-time') return 'time'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (items) return `${shape(items)}[]`
  if (anyOf) return [...new Set(anyOf.map(shape))].join(' | ')
  return properties ? `{ ${fields(schema)} }` : (type ?? 'anything')
}

const fields = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties)
    .filter(([, { readOnly }]) => !readOnly)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'} ${shape(schema)}`)
    .join(', ')

const shapesOf = (routes: readonly MountedRoute[]) =>
  [...new Map(titled(routes).map((schema) => [schema.title, schema]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, schema]) => `- **${title}** ${fields(schema) || shape({ ...schema, title: '' })}`)
    .join('\n')

/** What a maintainer agrees to by a grant, so that more of it is seen in review. */
const capabilitiesOf = ({ capabilities }: Described) =>
  [...capabilities]
    .map(([name, { risk, reaches, narrows, scope = [], idempotent = false, params, result = {} }]) =>
      [
        `- \`${name}\` (${[risk, narrows && `narrowed to ${narrows.to}${narrows.at ? ` by ${narrows.at}` : ''}`, ...scope, idempotent && 'idempotent'].filter(Boolean).join(', ')}): ${reaches}`,
        `takes ${shape(params)}`,
        `gives ${shape(result)}`
      ].join('\n  ')
    )
    .join('\n')

function bindingsOf({ manifest, contract }: Described): string {
  const {
    requires = [],
    uses = [],
    contributes = {},
    on = {},
    steps = {},
    executions = {},
    cascade = {},
    upgrade = {}
  } = manifest
  const bindings: readonly [string, Iterable<string>][] = [
    ['Requires', requires],
    ['Uses', uses],
    ['Exports', [...contract.services].map(([name, type]) => `${name}: ${type}`)],
    ['Contributes', Object.keys(contributes)],
    ['Listens to', Object.keys(on)],
    ['Cascades on', Object.keys(cascade)],
    ['Steps', Object.keys(steps)],
    ['Executions', Object.keys(executions)],
    ['Sockets', Object.keys(upgrade)]
  ]
  return bindings
    .map(([what, names]) => [what, [...names].map((name) => `\`${name}\``).join(', ')] as const)
    .filter(([, names]) => names)
    .map(([what, names]) => `- ${what} ${names}`)
    .join('\n')
}

const settingRows = ({ manifest: { settings } }: Described): string[][] =>
  Object.entries((settings?.properties ?? {}) as Record<string, Schema & Setting>).map(([name, schema]) => [
    `\`${name}\``,
    `${schema.secret ? 'secret ' : ''}${shape(schema)}`,
    'default' in schema ? JSON.stringify(schema.default) : '',
    schema.env ? `\`${schema.env}\`` : ''
  ])
interface Setting {
  readonly secret?: boolean
  readonly env?: string
  readonly default?: unknown
}

const tableText = ({ columns, indexes, constraints }: Table) =>
  [
    grid(['column', 'type', 'default'], columns.map(columnRow)),
    [...indexes.map(indexText), ...constraints.map(({ name, text }) => `- \`${name}\`: ${text}`)].join('\n')
  ].join('\n\n')

const columnRow = ({ name, type, nullable, default: value }: Column) => [
  name,
  `${type.replace('timestamp with time zone', 'timestamptz')}${nullable ? ' or null' : ''}`,
  value ?? ''
]

function indexText({ primary, unique, method, columns, where }: Index): string {
  const kind = primary ? 'primary key' : unique ? 'unique' : 'index'
  const by = method === 'btree' ? '' : ` by ${method}`
  return `- ${kind} (${columns.join(', ')})${by}${where ? ` where ${where}` : ''}`
}
