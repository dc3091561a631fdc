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

const types = new Option('--type <type>', 'type of the principal').choices(['service', 'user'])
const agents = new Option(
  '--agent <id>',
  'ID of the agent that the key acts as; its resources belong to the owner of the agent'
)
const environments = new Option('--env <environment>', 'environment of a new project (default: live)')

export function keysCommand(): Command {
  const keys = new Command('keys').description('Manage API keys')
  examples(
    keys
      .command('create')
      .description('Create a project key and print only the key, which is shown once')
      .requiredOption('--name <name>', 'name of the key')
      .addOption(types.default('service'))
      .option('--project <id>', 'project of the key, created if it does not exist', DEFAULT_PROJECT)
      .option('--principal <id>', 'ID of the principal that the key acts as (default: a new principal)')
      .addOption(agents.conflicts(['type', 'principal', 'admin']))
      .option('--scopes <list>', 'scopes, comma-separated (default: all scopes of the project)', (list) =>
        list.split(',')
      )
      .addOption(environments.choices(['live', 'test']))
      .option('--admin', 'add the scope platform:admin, for example to manage packs')
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
      .description('List the keys of a project with their principals and scopes. Does not show the keys')
      .option('--project <id>', 'project of the keys', DEFAULT_PROJECT)
      .option('--principal <id>', 'only the keys of this principal')
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(list),
    'keys list',
    'keys list --project shop --json'
  )
  examples(
    keys
      .command('revoke <id>')
      .description('Revoke a key and all credentials that were created with it, immediately on all instances')
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
    if ((await operator.findKey(id)).revokedAt !== null) note(`${id} was already revoked`)
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
