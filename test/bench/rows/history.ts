import type { Load } from '../load.ts'
import { startLoad } from '../load.ts'
import { startModel } from '../models.ts'
import { compare, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import type { PlatformRunner, RunBody } from '../runners.ts'
import { MESSAGES, startRuns } from '../runners.ts'

const PATH = '/v1/agents/run'
const TOKENS = 20
const LONG = 10_000
const SHORT = 10
/** Messages in one request. */
const AT_ONCE = 500

const said = (count: number): RunBody['messages'] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `What was said at that point of it, in about as many words: number ${index}.`
  }))

async function run({ url, key }: PlatformRunner, body: RunBody): Promise<string> {
  const reply = await fetch(url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body)
  })
  if (reply.status !== 200) throw new Error(`A run gave ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { data: { sessionId: string } }).data.sessionId
}

/** A session with so many messages, replies among them. */
async function session(ours: PlatformRunner, agentId: string, count: number): Promise<string> {
  let sessionId: string | undefined
  for (let left = count; left > 0; left -= AT_ONCE)
    sessionId = await run(ours, { agentId, sessionId, messages: said(Math.min(left, AT_ONCE) - 1) })
  return sessionId as string
}

/** Milliseconds that a run takes in the middle, where each goes to one of these sessions. */
async function time(load: Load, ours: PlatformRunner, agentId: string, sessions: readonly string[]) {
  const bodies = sessions.map((sessionId) => ({ agentId, sessionId, messages: MESSAGES }))
  const { failed, failure, p50 } = await load(ours, {
    paths: [PATH],
    bodies,
    connections: 1,
    requests: bodies.length
  })
  if (failed > 0) throw new Error(`${failed} of ${bodies.length} runs failed: ${failure}`)
  return p50
}

/** What a long conversation costs each of its runs. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const ours = await startRuns(scope, await startModel(scope))
  const { agentId } = await ours.body({ tokens: TOKENS })
  const each = 100
  const rounds = quick ? 6 : 14
  const long = await session(ours, agentId, LONG)
  const stored = await ours.knex('sessions.message').where({ sessionId: long }).count()
  if (Number(stored[0]?.count) < LONG) throw new Error(`A session of ${stored[0]?.count} messages`)
  // A run makes a session longer: each of the short ones is used once.
  const short: string[] = []
  while (short.length < (rounds + 1) * each) short.push(await session(ours, agentId, SHORT))

  const inLong = () => time(load, ours, agentId, Array<string>(each).fill(long))
  const inShort = () => time(load, ours, agentId, short.splice(0, each))
  await inLong()
  await inShort()
  const { ratio, spread, first, second } = await compare(rounds, inLong, inShort)
  return [
    {
      what: `a run in a session of ${LONG.toLocaleString('en')} messages, against one of ${SHORT}`,
      reach: '≤ 1.3×',
      measured: `${ratio.toFixed(2)}× (${range(spread)}; ${first.toFixed(2)} / ${second.toFixed(2)} ms)`,
      met: ratio <= 1.3
    }
  ]
}
