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

/** A pack whose callers open a connection all at once, as calls of tools do; gives their milliseconds. */
const callersPack = `
import { definePack } from 'agent-platform'
import { Type } from 'typebox'

export default definePack({
  name: 'callers',
  area: 'Bench',
  requires: ['tools'],
  routes(app, { tools }) {
    const body = Type.Object({ id: Type.String(), count: Type.Integer() })
    const response = { 200: Type.Object({ data: Type.Array(Type.Number()) }) }
    const schema = { tags: ['callers'], summary: 'Open it', body, response }
    app.post('/things/open', { schema }, async ({ principal, body: { id, count } }) => {
      const one = async () => {
        const begun = performance.now()
        await tools.openConnection(principal, { id, scopes: [] })
        return performance.now() - begun
      }
      return { data: await Promise.all(Array.from({ length: count }, one)) }
    })
  }
})`

/** Milliseconds of each caller, half of them on each instance. */
async function callers(sides: readonly Served[], id: string): Promise<number[]> {
  const order = { id, count: CALLERS / sides.length }
  return (await Promise.all(sides.map((side) => createApi(side).post('/v1/things/open', order)))).flat()
}

const p99 = (took: readonly number[]) =>
  took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.99) - 1] as number

/** Callers of a connection whose token is over: what they wait more than those of one whose token is not. */
export const measure: Measure = async (scope, quick) => {
  let tokens = 0
  const provider = await service(scope, async (reply) => {
    await delay(ROUND_TRIP)
    const access_token = `token-${++tokens}`
    const refresh_token = `${access_token}-again`
    json(reply, 200, { access_token, refresh_token, token_type: 'bearer', expires_in: LIFE })
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
  const files = { 'callers/pack.ts': callersPack }
  const { connection } = await database(scope)
  const first = await startPlatform(scope, files, { packs, env, connection })
  const second = await startPlatform(scope, files, { packs, env, connection })
  const sides = [first, { ...second, key: first.key }]
  const api = createApi(first)
  const asked = await api.post('/v1/oauth/connect', { providerKey: 'notes' })
  const state = new URL(asked.authorizationUrl).searchParams.get('state') ?? ''
  await fetch(`${first.url}/v1/oauth/callback/notes?${new URLSearchParams({ state, code: 'yes' })}`)
  const { connectionId: id } = asked
  await callers(sides, id)

  const rounds: { added: number; requests: number; trip: number }[] = []
  for (let round = 0; round < (quick ? 3 : 10); round++) {
    await delay(LIFE * 1_000 + 200)
    const begun = performance.now()
    await (await fetch(`${provider.url}/token`, { method: 'POST' })).text()
    const trip = performance.now() - begun
    const before = tokens
    const over = p99(await callers(sides, id))
    const requests = tokens - before
    rounds.push({ added: over - p99(await callers(sides, id)), requests, trip })
  }
  const added = median(rounds.map((it) => it.added))
  const trip = median(rounds.map((it) => it.trip))
  const requests = Math.max(...rounds.map((it) => it.requests))
  return [
    {
      what: `${CALLERS} callers of an expired connection on two instances: requests to the provider / added p99`,
      reach: '1 / ≤ 1 round trip + 20 ms',
      measured: `${requests} / ${added.toFixed(0)} ms, of which ${trip.toFixed(0)} ms are the round trip`,
      met: requests === 1 && added <= trip + 20
    }
  ]
}
