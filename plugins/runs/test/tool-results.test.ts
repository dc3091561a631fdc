import { paymentRequired } from 'agent-platform'
import t from 'tap'
import { local, puppetStage, streamed, tool } from './testbed.ts'

const { ada, play } = await puppetStage(t)
const agent = await ada.agent(local)
/** What came of the calls of a run, as its readers see it. */
async function endsOf(script: string) {
  const { events, runId } = await streamed(ada, agent, script)
  const ends = events.filter(({ type }) => type === 'toolEnd')
  return { events, runId, ends: ends.map(({ output, isError }) => [output, isError]) }
}

t.test('a tool that fails ends its call, not the run', async (t) => {
  const circular: unknown[] = []
  circular.push(circular)
  let deep: unknown = 1
  for (let level = 0; level < 20_000; level++) deep = [deep]
  const calls: Record<string, () => unknown> = {
    throws: () => Promise.reject(new Error('secret detail')),
    refuses: () => Promise.reject(paymentRequired('Ask for more credit')),
    says: () => ({ output: 'no such city', isError: true }),
    throwsNothing: () => Promise.reject(undefined),
    returnsNothing: () => undefined,
    circular: () => ({ output: circular }),
    big: () => ({ output: 5n }),
    deep: () => ({ output: deep })
  }
  play.tools = () => Object.entries(calls).map(([name, call]) => tool(name, async () => call() as never))
  for (const name of Object.keys(calls)) {
    const { ends, events } = await endsOf(`/call ${name} {}`)
    t.equal(events.at(-1)?.type, 'final', name)
    const told = name === 'refuses' ? 'Ask for more credit' : name === 'says' ? 'no such city' : undefined
    t.match(ends, [[told ?? /outcome of this call is unknown/, true]], name)
    t.notMatch(JSON.stringify(events), /secret detail/)
  }
  play.tools = () => [tool('safe', () => Promise.reject(new Error('secret')), { idempotent: true })]
  t.same((await endsOf('/call safe {}')).ends, [['The tool failed', true]], 'it can be made again')
  t.match((await endsOf('/call nobody {}')).ends, [['There is no tool nobody. Available tools: safe.', true]])
  play.tools = () => [tool('throws', () => Promise.reject(new Error('secret')))]
  t.match((await endsOf('/call throws [1]')).ends, [[/JSON object/, true]])
  t.match((await endsOf('/call throws {"a":')).ends, [[/JSON object/, true]])
})

t.test('whatever a tool says can be kept', async (t) => {
  const outputs: [unknown, unknown][] = [
    ['a\u0000b\ud800c', 'ab\ufffdc'],
    [{ 'k\u0000': ['\udfff', 1, null] }, { k: ['\ufffd', 1, null] }],
    [undefined, null],
    [Number.NaN, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')]
  ]
  let turn = 0
  play.tools = () => [
    tool('talk', async ({ progress }) => {
      progress('a\u0000b\ud800c')
      return { output: outputs[turn]?.[0] }
    })
  ]
  for (const [_, kept] of outputs) {
    const { ends, runId, events } = await endsOf('/call talk {}')
    t.same(ends, [[kept, false]])
    t.equal(JSON.stringify(ends), JSON.stringify([[kept, false]]))
    t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'completed' })
    t.equal(events.at(-1)?.type, 'final')
    turn++
  }
})

t.test('a megabyte is cut, and the model told so', async (t) => {
  play.tools = () => [
    tool('text', async () => ({ output: 'x'.repeat(1_000_000) })),
    tool('list', async () => ({ output: Array(100_000).fill('0123456789') }))
  ]
  for (const name of ['text', 'list']) {
    const { ends, events } = await endsOf(`/call ${name} {}`)
    const [output] = ends[0] as [string]
    t.ok(output.length < 201_000)
    t.match(output, /\n\[\d+ of \d+ characters were not kept\]\n/)
    t.equal(events.at(-1)?.type, 'final')
  }
})
