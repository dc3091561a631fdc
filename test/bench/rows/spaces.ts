import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { newId } from '../../../kernel/contract/ids.ts'
import { database } from '../../database.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'
import type { Scope } from '../scope.ts'

const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'spaces']
const SUBSCRIBERS = 500
const env = { SPACES_STREAMS: String(SUBSCRIBERS) }
const PAUSE_MS = 200
const WRITERS = 64
/** What one connection of the pool does is done by as many as the platform has. */
const CONNECTIONS = 10

type Post = (path: string, body: object) => Promise<{ data: { id: string } }>

function poster({ url, key }: Served): Post {
  const agent = new http.Agent({ keepAlive: true, maxSockets: WRITERS })
  return async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const request = http.request(url + path, { agent, method: 'POST', headers })
    request.end(JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const text = (await response.toArray()).join('')
    if (response.statusCode !== 201) throw new Error(`${response.statusCode}: ${text}`)
    return JSON.parse(text)
  }
}

/** Calls `seen` with when each message was sent that a subscriber sees. */
async function subscribe({ url, key }: Served, spaceId: string, seen: (at: number) => void) {
  const headers = { authorization: `Bearer ${key}` }
  const request = http.get(`${url}/v1/spaces/${spaceId}/subscribe`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`A space was not followed: ${response.statusCode}`)
  response.setEncoding('latin1')
  response.on('data', (piece: string) => {
    for (const [, at] of piece.matchAll(/"content":"at (\d+\.?\d*)"/g)) seen(Number(at))
  })
  return response
}

async function latency(scope: Scope, sides: readonly [Served, Served], messages: number): Promise<number[]> {
  const post = poster(sides[0])
  const { data: space } = await post('/v1/spaces', { name: 'Bench' })
  const delays: number[] = []
  let warm = true
  const responses = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, (_, n) =>
      subscribe(sides[n % 2] as Served, space.id, (at) => {
        if (!warm) delays.push(performance.now() - at)
      })
    )
  )
  scope.teardown(() => responses.forEach((response) => void response.destroy()))
  await delay(2_000)
  for (let n = -30; n < messages; n++) {
    if (n === 0) {
      await delay(1_000)
      warm = false
    }
    await post(`/v1/spaces/${space.id}/messages`, { content: `at ${performance.now()}` })
    await delay(PAUSE_MS)
  }
  await delay(2_000)
  if (delays.length !== messages * SUBSCRIBERS)
    throw new Error(`${delays.length} of ${messages * SUBSCRIBERS} were seen`)
  return delays.sort((a, b) => a - b)
}

/** A second of so many at once; how many were done. */
async function perSecond(seconds: number, atOnce: number, work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let done = 0
  const worker = async () => {
    for (; performance.now() < end; done++) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return done / seconds
}

/** The row of a message as the pack inserts it, and nothing besides. */
const insertAlone = (knex: Knex, spaceId: string) => () =>
  knex('spaces.message').insert({
    project: 'alone',
    id: newId('message'),
    owner: 'bench',
    spaceId,
    memberId: 'member_bench',
    authorType: 'user',
    authorId: 'bench',
    authorName: 'bench',
    content: 'The ship arrives on Tuesday, with the tide',
    attachments: '[]',
    mentions: '[]',
    rootId: 'message_bench',
    turn: 0
  })

/** How soon messages are seen, and how many a space takes. */
export const measure: Measure = async (scope, quick) => {
  const { connection, knex } = await database(scope)
  const one = await startPlatform(scope, {}, { packs, connection, env })
  const two = await startPlatform(scope, {}, { packs, connection, env })
  const delays = await latency(scope, [one, two], quick ? 20 : 100)
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? 0
  const post = poster(one)
  const { data: space } = await post('/v1/spaces', { name: 'Busy' })
  const content = 'The ship arrives on Tuesday, with the tide'
  const say = () => post(`/v1/spaces/${space.id}/messages`, { content })
  const insert = insertAlone(knex, space.id)
  await perSecond(2, WRITERS, say)
  const rounds: { ours: number; alone: number }[] = []
  for (let round = 0; round < (quick ? 3 : 5); round++)
    rounds.push({ ours: await perSecond(2, WRITERS, say), alone: await perSecond(2, CONNECTIONS, insert) })
  const share = median(rounds.map(({ ours, alone }) => ours / alone))
  const each = (['ours', 'alone'] as const).map((side) => Math.round(median(rounds.map((it) => it[side]))))
  return [
    {
      what: `message posted to seen by ${SUBSCRIBERS} subscribers over two instances: p99`,
      reach: '≤ 50 ms',
      measured: `${at(0.99).toFixed(1)} ms (median ${at(0.5).toFixed(1)} ms)`,
      met: at(0.99) <= 50
    },
    {
      what: 'posts a second into one space, against inserting the rows alone',
      reach: '≥ 0.4',
      measured: `${share.toFixed(2)} (${each.join(' : ')})`,
      met: share >= 0.4
    }
  ]
}
