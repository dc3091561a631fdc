import type { Knex } from 'knex'
import type { Connection } from '../database.ts'
import { database } from '../database.ts'
import type { Manner, Model } from './models.ts'
import { nameOf, WORD } from './models.ts'
import type { Served } from './platform.ts'
import { startPlatform } from './platform.ts'
import type { Scope } from './scope.ts'
import { startSide } from './side.ts'

/** What a run is asked for with. To those that know no agents, the agent's id is the name of the model. */
export interface RunBody {
  readonly agentId: string
  readonly sessionId?: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

export interface RunnerOrder {
  readonly connection?: Connection
  readonly modelUrl: string
}

export const MESSAGES: RunBody['messages'] = [{ role: 'user', content: 'Say what there is to say.' }]

/** A server that runs agents, by `POST /v1/agents/run/stream` at least. */
export interface Runner extends Served {
  /** A run of an agent whose model behaves so. */
  body(manner: Manner): Promise<RunBody>
}

export interface Stored {
  readonly runs: number
  readonly tokens: number
}

/** A runner that keeps what it did. */
export interface Keeper extends Runner {
  readonly knex: Knex
  /** The completed runs in its database, and the tokens of the replies. */
  stored(): Promise<Stored>
}

async function startRunner(scope: Scope, name: 'floor' | 'proxy', order: RunnerOrder): Promise<Runner> {
  const side = await startSide(scope, name, order)
  const { url } = await side.ask<{ url: string }>('address')
  return { ...side, url, body: async (manner) => ({ agentId: nameOf(manner), messages: MESSAGES }) }
}

async function count(knex: Knex, runs: string, messages: string): Promise<Stored> {
  const { rows } = await knex.raw(
    `select (select count(*)::int from ${runs} where status = 'completed') as runs,
       (select coalesce(sum(length(content)), 0)::int / ? from ${messages} where role = 'assistant') as tokens`,
    [WORD.length]
  )
  return rows[0]
}

/** The model's stream, passed on as it is. */
export const startProxy = (scope: Scope, model: Model): Promise<Runner> =>
  startRunner(scope, 'proxy', { modelUrl: model.url })

/** The least that a run can be which is kept, written by hand. */
export async function startFloor(scope: Scope, model: Model): Promise<Keeper> {
  const { connection, knex } = await database(scope)
  const runner = await startRunner(scope, 'floor', { connection, modelUrl: model.url })
  return { ...runner, knex, stored: () => count(knex, 'run', 'message') }
}

const PACKS = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs']

/** The platform with all that a run takes; `beside` another one: a second instance on its database; `more`: packs,
 *  and what their settings read. */
export async function startRuns(
  scope: Scope,
  model: Model,
  beside?: PlatformRunner,
  more: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {}
): Promise<PlatformRunner> {
  const { connection, knex } = beside ?? (await database(scope))
  const env = { OPENAI_COMPATIBLE_BASE_URL: model.url, ...variables }
  const served = await startPlatform(scope, {}, { packs: [...PACKS, ...more], env, connection })
  const agents = new Map<string, Promise<string>>()
  return {
    ...served,
    connection,
    knex,
    async body(manner) {
      const name = nameOf(manner)
      if (!agents.has(name)) agents.set(name, createAgent(served, name))
      return { agentId: (await agents.get(name)) as string, messages: MESSAGES }
    },
    stored: () => count(knex, 'runs.run', 'sessions.message')
  }
}

export interface PlatformRunner extends Keeper {
  readonly key: string
  readonly connection: Connection
}

async function createAgent({ url, key }: Served, modelId: string): Promise<string> {
  const reply = await fetch(`${url}/v1/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Measured', modelProvider: 'openai-compatible', modelId })
  })
  if (reply.status !== 201) throw new Error(`No agent: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}
