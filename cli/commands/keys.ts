import { Command, Option } from 'commander'
import { createPresence } from '../../kernel/database/presence.ts'
import { createTransaction } from '../../kernel/database/transaction.ts'
import { createSignals } from '../../kernel/events/signals.ts'
import { createCredentials } from '../../kernel/identity/credentials.ts'
import type { Environment } from '../../kernel/identity/keys.ts'
import type { HeldKey } from '../../kernel/identity/operator.ts'
import { createOperator, DEFAULT_PROJECT } from '../../kernel/identity/operator.ts'
import type { KeyOrder } from '../../kernel/identity/project-keys.ts'
import { createProjectKeys } from '../../kernel/identity/project-keys.ts'
import { createTokens } from '../../kernel/identity/tokens.ts'
import type { OwnDatabase } from '../database.ts'
import { withTables } from '../database.ts'
import { refuseUrl, urlOption, withPlatform } from '../operator.ts'
import { examples, inShort, jsonOption, note, say, show, when } from '../output.ts'

interface NewKey {
  readonly env?: Environment
  readonly agent?: string
}

interface Common {
  readonly url?: string
  readonly json?: boolean
}

const types = new Option('--type <type>', 'whose key it is').choices(['service', 'user'])
const agents = new Option(
  '--agent <id>',
  'the key of an agent: what it makes belongs to the owner of the agent'
)
const environments = new Option('--env <environment>', 'of a new project; left out: live')

export function keysCommand(): Command {
  const keys = new Command('keys').description('Keys with which programs and people call the platform')
  examples(
    keys
      .command('create')
      .description('Make a project key and print it alone: it is shown this once')
      .requiredOption('--name <name>', 'what the key is for')
      .addOption(types.default('service'))
      .option('--project <id>', 'made when it is missing', DEFAULT_PROJECT)
      .option('--principal <id>', 'ID of the principal that the key acts as (default: a new principal)')
      .addOption(agents.conflicts(['type', 'principal', 'admin']))
      .option('--scopes <list>', 'separated by commas; left out: all of the project', (list) =>
        list.split(',')
      )
      .addOption(environments.choices(['live', 'test']))
      .option('--admin', 'may also change packs and do what else needs platform:admin')
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(create),
    'keys create --name laptop --type user --admin',
    'keys create --name ci --scopes agents:read,agents:run --project shop --env test',
    'keys create --name worker --agent agent_01k4qz0000e0080000000000ab'
  )
  examples(
    keys
      .command('list')
      .description('List the keys of a project: whose they are and what they may, never the keys themselves')
      .option('--project <id>', 'whose keys', DEFAULT_PROJECT)
      .option('--principal <id>', 'only those of this one')
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(list),
    'keys list',
    'keys list --project shop --json'
  )
  examples(
    keys
      .command('revoke <id>')
      .description('Revoke a key and what was made with it; running instances hear of it at once')
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(revoke),
    'keys revoke key_01k4qz0000e0080000000000ab'
  )
  return keys
}

async function create({ env, agent, url, json, ...order }: KeyOrder & Common & NewKey) {
  refuseUrl({ url }, 'keys create')
  const { project } = order
  const wanted = { ...order, ...(env && { environment: env }) }
  // The agents are a pack's: a platform is asked, the one that runs or one that is started for it.
  const ownerOfAgent = async (agentId: string) =>
    (
      await withPlatform({ project }, (client) =>
        client.get('/v1/agents/{agentId}', { params: { path: { agentId } } })
      )
    ).data.owner
  const agents = agent && { type: 'agent' as const, principal: agent, owner: await ownerOfAgent(agent) }
  await withTables(async ({ knex }) => {
    const key = await createProjectKeys(knex)({ ...wanted, ...agents })
    say(key, { key }, json)
  })
}

async function list({ project, principal, url, json }: Common & { project: string; principal?: string }) {
  refuseUrl({ url }, 'keys list')
  const keys = await withTables(({ knex }) => createOperator(knex).listKeys(project, principal))
  const columns = {
    id: (key: HeldKey) => key.id,
    name: (key: HeldKey) => key.name,
    principal: (key: HeldKey) => key.principal,
    type: (key: HeldKey) => key.type,
    prefix: (key: HeldKey) => `${key.prefix}…`,
    scopes: (key: HeldKey) => inShort(key.scopes),
    created: (key: HeldKey) => when(key.createdAt),
    'last used': (key: HeldKey) => when(key.lastUsedAt),
    revoked: (key: HeldKey) => when(key.revokedAt)
  }
  show(keys, columns, json)
}

async function revoke(id: string, { url, json }: Common) {
  refuseUrl({ url }, 'keys revoke')
  await withTables(async (database) => {
    const operator = createOperator(database.knex)
    if ((await operator.findKey(id)).revokedAt !== null) note(`${id} had been revoked before`)
    await revokeEverywhere(database, id)
    const key = await operator.findKey(id)
    say(`${id} (${key.name}) is revoked`, key, json)
  })
}

/** As the API does it: in the database, and by a signal to all that run. */
async function revokeEverywhere({ knex, connection, settings }: OwnDatabase, id: string): Promise<void> {
  let lost = false
  const log = {
    info() {},
    error() {},
    warn() {
      lost = true
    }
  }
  const presence = createPresence({ connection, log })
  const signals = createSignals({ presence, knex, redisUrl: settings.REDIS_URL, log })
  const tokens = createTokens({ baseUrl: settings.BASE_URL, log })
  try {
    await createCredentials({ knex, signals, tokens, transaction: createTransaction(knex) }).revoke(id)
  } finally {
    await signals.close()
  }
  if (lost) note('Could not notify running instances. They may accept the key for up to 30 more seconds.')
}
