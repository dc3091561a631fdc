// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { local, saying, scripted } from '../../plugins/runs/test/testbed.ts'
import { rounds } from '../rounds.ts'
import { isLast, read } from '../runs/reader.ts'
import { randomOf, seed } from '../seed.ts'
import { SECRET, scene } from './scene.ts'

t.setTimeout(rounds(600_000, 3_600_000))
const random = randomOf(seed)

const TEXT = '/call order {"what":"tea"}\n/call everything__echo {"message":"hello"}\n/call pay {"sum":5}'
const SCRIPT =
  'tool=order&args={"what":"tea"}&tool=everything__echo&args={"message":"hello"}&tool=pay&args={"sum":5}&text=Done'
const points = ['toolStart', 'approval_request', 'waiting', 'approved', 'paid'] as const

t.test(`an agent acts, is killed, and each effect happens once (SEED=${seed})`, async (t) => {
  const { home, ada, shop, bank, agent, another } = await scene(t)
  const place = { url: home.url, client: ada }
  const agents = { local: await agent(local), scripted: await agent(scripted(SCRIPT)) }
  let next = another()
  // The hardest one always, and of the others one that the seed chooses.
  const others = points.filter((point) => point !== 'approved')
  const models = ['local', 'scripted'] as const
  const cases = Array.from({ length: rounds(1, 10) }).flatMap(() =>
    models.flatMap((model) =>
      [others[random(others.length)] ?? 'waiting', 'approved' as const].map((point) => ({ model, point }))
    )
  )
  for (const [turn, { model, point }] of cases.entries()) {
    const victim = await next
    if (turn < cases.length - 1) next = another()
    const before = { orders: shop.effects.size, payments: bank.requests() }
    const reader = await read(t, victim, { body: saying(agents[model], TEXT), elsewhere: place })
    const path = (callId: string | undefined) => `/v1/agents/runs/${reader.runId}/approvals/${callId}`
    if (point === 'toolStart' || point === 'approval_request' || point === 'waiting') {
      await reader.until(({ type, status }) => type === point || status === point)
      await delay(random(30))
      await victim.kill()
    }
    const { callId } = await reader.until(({ type }) => type === 'approval_request')
    const { client } = point === 'approved' || point === 'paid' ? victim : place
    // The executor that goes on with the run may be about to ask: the wait is there before the event is.
    t.match(await client.post(path(callId), { decision: 'approve' }), { status: 200 }, `${model}, ${point}`)
    if (point === 'approved') {
      await delay(random(40))
      await victim.kill()
    }
    if (point === 'paid') {
      await reader.until(({ type, callId: id }) => type === 'toolEnd' && id === callId)
      await victim.kill()
    }
    const events = await reader.over
    const what = `${model}, killed at ${point}`
    t.ok(
      events.every(({ seq }, index) => seq === index),
      `${what}: no gap`
    )
    t.equal(events.filter(isLast).length, 1)
    t.equal(events.at(-1)?.type, 'final', what)
    const ends = events.filter(({ type }) => type === 'toolEnd')
    t.same(ends.map(({ toolName }) => toolName).sort(), ['everything__echo', 'order', 'pay'])
    t.match(
      ends.find(({ toolName }) => toolName === 'order'),
      { isError: false, output: { order: Number } }
    )
    t.equal(shop.effects.size, before.orders + 1, `${what}: ordered once`)
    const paid = ends.find(({ toolName }) => toolName === 'pay')
    const payments = bank.requests() - before.payments
    if (paid?.isError) t.match([paid.output, payments <= 1], [/outcome of this call is unknown/, true], what)
    else t.equal(payments, 1, `${what}: paid once`)
    if (point !== 'approved') t.equal(paid?.isError, false, `${what}: nothing is unknown of it`)
    t.notMatch(reader.lines.join('\n'), SECRET)
    await victim.kill()
  }
  t.same([...shop.keys], [SECRET], 'the service knew its caller each time')
})
