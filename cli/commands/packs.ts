import { relative } from 'node:path'
import type { Client } from 'agent-platform-client'
import { Command, InvalidArgumentError } from 'commander'
import type { Wanted } from '../operator.ts'
import { urlOption, withPlatform } from '../operator.ts'
import { examples, jsonOption, say, show, showOne, when } from '../output.ts'
import { confirmTwice } from '../questions.ts'

interface Common extends Pick<Wanted, 'url'> {
  readonly json?: boolean
}

type Pack = Awaited<ReturnType<typeof readPack>>
type PackChange = Awaited<ReturnType<typeof readChanges>>[number]

const readPack = async (client: Client, name: string) =>
  (await client.get('/v1/packs/{name}', { params: { path: { name } } })).data
const readChanges = async (client: Client, pack: string | undefined, limit: number) =>
  (await client.get('/v1/packs/changes', { params: { query: { limit, ...(pack && { pack }) } } })).data

const MOST_CHANGES = 100

const inList = {
  name: (pack: Pack) => pack.name,
  area: (pack: Pack) => pack.area,
  status: (pack: Pack) => pack.status,
  version: (pack: Pack) => pack.digest,
  reason: (pack: Pack) => pack.reason
}
const alone = {
  ...inList,
  enabled: (pack: Pack) => `${pack.enabled.value} (${pack.enabled.from})`,
  requires: (pack: Pack) => pack.requires.join(' '),
  uses: (pack: Pack) => pack.uses.join(' '),
  settings: (pack: Pack) =>
    Object.entries(pack.settings)
      .map(([name, { value, from }]) => `${name}=${JSON.stringify(value)} (${from})`)
      .join(', '),
  instances: (pack: Pack) => pack.instances.map((it) => `${it.instance}: ${it.status}`).join(', '),
  deadLettered: (pack: Pack) => (pack.deadLettered.length > 0 ? `${pack.deadLettered.length} facts` : null)
}
const changed = {
  at: (change: PackChange) => when(change.at),
  actor: (change: PackChange) => change.actor,
  pack: (change: PackChange) => change.pack,
  action: (change: PackChange) => change.action,
  outcome: (change: PackChange) => change.outcome,
  to: (change: PackChange) => change.toDigest,
  reason: (change: PackChange) => change.reason
}

export function packsCommand(): Command {
  const packs = new Command('packs').description('Manage packs, the features of the platform')
  const command = (usage: string, description: string) =>
    packs.command(usage).description(description).addOption(jsonOption()).addOption(urlOption())
  const admin = ({ url }: Common) => ({ url, admin: true })

  examples(
    command('list', 'List the packs and their states').action(async (options: Common) => {
      const { data } = await withPlatform(admin(options), (client) => client.get('/v1/packs'))
      show(data, inList, options.json)
    }),
    'packs list'
  )
  examples(
    command('show <name>', 'Show the settings, requirements and instances of a pack').action(
      async (name: string, options: Common) =>
        showOne(await withPlatform(admin(options), (client) => readPack(client, name)), alone, options.json)
    ),
    'packs show goals'
  )
  for (const [verb, enabled, description] of [
    ['enable', true, 'Enable a pack, without a restart'],
    ['disable', false, 'Disable a pack, without a restart. Its data stays']
  ] as const)
    examples(
      command(`${verb} <name>`, description).action(async (name: string, options: Common) => {
        const change = async (client: Client) => {
          const before = await readPack(client, name)
          const path = { name }
          const { data } = await client.put('/v1/packs/{name}', { params: { path }, body: { enabled } })
          return { pack: data, isSame: before.status === data.status && before.digest === data.digest }
        }
        const { pack, isSame } = await withPlatform(admin(options), change)
        if (isSame && !pack.reason) say(already(pack), pack, options.json)
        else tell(pack, options)
      }),
      `packs ${verb} goals`
    )
  examples(
    command('reload <name>', 'Load the current version of a pack from its folder').action(
      async (name: string, options: Common) => {
        const reload = (client: Client) =>
          client.post('/v1/packs/{name}/reload', { params: { path: { name } } })
        tell((await withPlatform(admin(options), reload)).data, options)
      }
    ),
    'packs reload goals'
  )
  examples(
    command('changes [name]', 'List changes of packs, newest first')
      .option('--limit <number>', `maximum number of changes, 1 to ${MOST_CHANGES}`, limitOf, 20)
      .action(async (name: string | undefined, options: Common & { limit: number }) => {
        const changes = await withPlatform(admin(options), (client) =>
          readChanges(client, name, options.limit)
        )
        show(changes, changed, options.json)
      }),
    'packs changes',
    'packs changes goals --limit 5'
  )
  examples(
    command('remove <name>', 'Remove a pack from the platform, after two confirmations')
      .option('--drop-data', 'also delete its data permanently')
      .option('--yes <name>', 'name of the pack, to skip the confirmations')
      .action(remove),
    'packs remove goals',
    'packs remove goals --drop-data --yes goals'
  )
  examples(
    packs
      .command('new <name>')
      .description('Generate a new pack with routes, a table and tests')
      .option('--folder <folder>', 'parent folder of the new pack', 'plugins')
      .addOption(jsonOption())
      .action(create),
    'packs new notes'
  )
  return packs
}

async function remove(name: string, options: Common & { dropData?: boolean; yes?: string }) {
  const { url, dropData = false } = options
  const what = dropData
    ? `Remove ${name} and all that it keeps, for good`
    : `Remove ${name}; what it keeps stays`
  await confirmTwice(what, name, options.yes)
  const drop = (client: Client) =>
    client.delete('/v1/packs/{name}', { params: { path: { name }, query: { dropData } } })
  const { data } = await withPlatform({ url, admin: true, minutes: 60 }, drop)
  const tables = data.tables.length > 0 ? `; its tables are gone: ${data.tables.join(', ')}` : ''
  say(`${name} is removed${tables}`, data, options.json)
}

async function create(name: string, { folder, json }: { folder: string; json?: boolean }) {
  const { createPack } = await import('../new-pack/create.ts')
  const files = await createPack(name, { folder })
  say(files.map(inShort).join('\n'), files, json)
}

function inShort(file: string): string {
  const path = relative('.', file)
  return path.startsWith('..') ? file : path
}

/** What was asked for is so: the files that lie there now were not looked at. */
const already = ({ name, status }: Pack) =>
  status === 'running'
    ? `${name} is running already; \`packs reload ${name}\` loads what lies in its folder now`
    : `${name} is ${status} already`

const tell = (pack: Pack, { json }: Common) =>
  say(`${pack.name} is ${pack.status}${pack.reason ? `: ${pack.reason}` : ''}`, pack, json)

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_CHANGES) return limit
  throw new InvalidArgumentError(`It is a number from 1 to ${MOST_CHANGES}.`)
}
