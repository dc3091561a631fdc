// budget: 8 s, because it compiles schemas until they are given up
// tier: long
import { setTimeout as delay } from 'node:timers/promises'
import type { Principal } from 'agent-platform'
import type { Test } from 'tap'
import t from 'tap'
import { longestTurn, longestTurnMs } from '../../../test/turns.ts'
import type { Tools } from '../contract.ts'
import { assign, stage } from './testbed.ts'

/** Takes about a second to compile, and is within every bound. */
function dear(depth = 11): object {
  const of = (level: number): object =>
    level === 0
      ? { type: 'string', maxLength: 5 }
      : { oneOf: [of(level - 1), of(level - 1)], title: 'x'.repeat(level) }
  return { type: 'object', properties: { a: of(depth - 1) } }
}
const EVIL = '^(a+)+$'

const { booted, ada } = await stage(t, { env: { TOOL_SECONDS: '30' } })
const eve = booted.as('eve')
await eve.agent()
const register = (client: typeof ada, name: string, parameters: object) =>
  client.post('/v1/tools', {
    name,
    description: 'x',
    parameters,
    config: { method: 'POST', url: 'https://api.example.com/', body: '{{a}}' }
  })

/** How often another caller was answered while that was done. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  void work.finally(() => (isDone = true)).catch(() => undefined)
  let count = 0
  for (; !isDone; await delay(5)) {
    const { status } = await eve.get('/v1/agents')
    if (status !== 200) throw new Error(`eve: ${status}`)
    count++
  }
  return count
}

/** Aborted when this process has worked for so many milliseconds, however long others keep it from that. */
function afterWork(ms: number): AbortSignal {
  const controller = new AbortController()
  const from = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(from)
    if (user + system < ms * 1_000) return
    clearInterval(timer)
    controller.abort(new DOMException('It takes too long', 'TimeoutError'))
  }, 20)
  return controller.signal
}

// By the thread's own CPU time: how long others wait in milliseconds of the clock is the bench's (row `hostile`).
const holds = async (t: Test, begin: () => Promise<unknown>) => {
  const work = begin()
  const [{ alone }, answered] = await Promise.all([longestTurn(work), answeredDuring(work), work])
  t.ok(alone <= longestTurnMs(), `${alone.toFixed(1)} ms at a time`)
  t.ok(answered >= 5, `another caller is answered meanwhile: ${answered} times`)
}

t.test('schemas that take long to compile', async (t) => {
  const text = JSON.stringify(dear())
  t.ok(text.length > 30_000 && text.length < 65_536)
  await holds(t, async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, n) => register(ada, `dear_${n}`, { ...dear(), title: String(n) }))
    )
    for (const { status } of replies) t.ok(status === 201 || status === 400, String(status))
    t.match(await register(eve, 'cheap_one', { type: 'object', properties: { a: {} } }), { status: 201 })
  })
})

t.test('patterns that never end', async (t) => {
  const parameters = { type: 'object', properties: { a: { type: 'string', pattern: EVIL } } }
  t.match(await register(ada, 'evil', parameters), { status: 201 })
  const agent = await ada.agent()
  await assign(ada, agent, 'evil')
  const args = { a: `${'a'.repeat(60)}b` }
  const call = () => ada.post('/v1/agents/tools', { agentId: agent.id, toolName: 'evil', args })
  await holds(t, async () => {
    for (const reply of await Promise.all(Array.from({ length: 6 }, call)))
      t.match(reply, {
        status: 400,
        body: { error: { param: '/args', message: /cannot be checked in time/ } }
      })
  })
})

t.test(
  'a pack that keeps tools has their schemas examined ahead of its transaction, for so long',
  async (t) => {
    const tools = booted.platform.server.current().packs.get('tools')?.deps.managedTools as Tools
    const by = { project: 'default', owner: 'ada' } as Principal
    await holds(t, async () => {
      const signal = afterWork(1_500)
      const schemas = Array.from({ length: 20 }, (_, n) => ({ ...dear(), title: `${n}` }))
      const faults = await tools.examine(by, [{ type: 'object' }, { type: 'string' }, ...schemas], signal)
      t.same(faults.slice(0, 2), [null, 'Its parameters are no valid JSON Schema: /type must be "object"'])
      t.match(faults.at(-1), /in time/)
    })
  }
)
