import { setTimeout as delay } from 'node:timers/promises'
import { database } from '../../database.ts'
import { json, service } from '../../loopback.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

/** What the provider takes for an answer, in milliseconds. */
const ROUND_TRIP = 100
/** Seconds after which its tokens end. */
const LIFE = 6
const CALLERS = 200

/** Milliseconds of one call of each caller, at once, half of them on each instance. */
async function callers(sides: readonly Served[], agentId: string): Promise<number[]> {
  const one = async (side: Served) => {
    const begun = performance.now()
    const { isError, output } = await createApi(side).post('/v1/agents/tools', {
      agentId,
      toolName: 'notes',
      args: {}
    })
    if (isError) throw new Error(`A call failed: ${JSON.stringify(output)}`)
    return performance.now() - begun
  }
  return Promise.all(Array.from({ length: CALLERS }, (_, n) => one(sides[n % sides.length] as Served)))
}

const p99 = (took: readonly number[]) =>
  took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.99) - 1] as number

/** Callers of a connection whose token is over: what they wait more than those of one whose token is not. */
export const measure: Measure = async (scope, quick) => {
  let tokens = 0
  const provider = await service(scope, async (reply, { path, headers }) => {
    if (path.startsWith('/token')) {
      await delay(ROUND_TRIP)
      const access_token = `token-${++tokens}`
      return json(reply, 200, {
        access_token,
        refresh_token: `${access_token}-again`,
        token_type: 'bearer',
        expires_in: LIFE
      })
    }
    const isCurrent = headers.authorization === `Bearer token-${tokens}`
    return json(reply, isCurrent ? 200 : 401, {})
  })
  const entry = {
    key: 'notes',
    name: 'Notes',
    clientId: 'platform',
    clientSecret: 'a secret',
    authorizationUrl: `${provider.url}/authorize`,
    tokenUrl: `${provider.url}/token`,
    hosts: [provider.host]
  }
  const packs = [...PACKS, 'connections']
  const env = { OUTGOING_ALLOW: '127.0.0.0/8', OAUTH_PROVIDERS: JSON.stringify([entry]) }
  const { connection } = await database(scope)
  const first = await startPlatform(scope, {}, { packs, env, connection })
  const second = await startPlatform(scope, {}, { packs, env, connection })
  const sides = [first, { ...second, key: first.key }]
  const api = createApi(first)
  const { id: agentId } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  const config = { method: 'GET', url: `${provider.url}/notes` }
  const tool = await api.post('/v1/tools', { name: 'notes', description: 'Reads notes', config })
  await api.post(`/v1/agents/${agentId}/tools`, { toolId: tool.id })
  const asked = await api.post('/v1/oauth/connect', { providerKey: 'notes' })
  const state = new URL(asked.authorizationUrl).searchParams.get('state') ?? ''
  await fetch(`${first.url}/v1/oauth/callback/notes?${new URLSearchParams({ state, code: 'yes' })}`)
  await api.post('/v1/tool-keys/map', { connectionId: asked.connectionId, toolId: tool.id })
  await callers(sides, agentId)

  const rounds: { added: number; requests: number }[] = []
  for (let round = 0; round < (quick ? 3 : 10); round++) {
    await delay(LIFE * 1_000 + 200)
    const before = tokens
    const over = p99(await callers(sides, agentId))
    const requests = tokens - before
    rounds.push({ added: over - p99(await callers(sides, agentId)), requests })
  }
  const added = median(rounds.map((it) => it.added))
  const requests = Math.max(...rounds.map((it) => it.requests))
  return [
    {
      what: `${CALLERS} callers of an expired connection on two instances: requests to the provider / added p99`,
      reach: `1 / ≤ 1 round trip (${ROUND_TRIP} ms) + 20 ms`,
      measured: `${requests} / ${added.toFixed(0)} ms`,
      met: requests === 1 && added <= ROUND_TRIP + 20
    }
  ]
}
