import t from 'tap'
import type { Event } from './testbed.ts'
import { askedLast, puppetStage, scripted, streamed, tool } from './testbed.ts'

const name = 'look'
const failing = () =>
  tool(name, async () => ({ output: 'No such file', isError: true }), { idempotent: true })
const looping = (events: readonly Event[]) => events.filter(({ type }) => type === 'loop_detected')
const ends = (events: readonly Event[]) => events.filter(({ type }) => type === 'toolEnd')
type Call = [string, string]

/** A stage whose model makes these calls by turns, one a step, for as long as it is asked. */
async function looped(t: Parameters<typeof puppetStage>[0], calls: (step: number) => Call[], env = {}) {
  let step = 0
  const staged = await puppetStage(t, {
    env,
    respond: ({ body }, response) => {
      step = body.messages.at(-1)?.role === 'user' ? 0 : step + 1
      const made = calls(step)
      if (made.length === 0) return { text: 'Done', tokens: 1 }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const tool_calls = made.map(([name, args], index) => ({
        index,
        id: `c${step}_${index}`,
        function: { name, arguments: args }
      }))
      const chunk = (delta: object, finish_reason: string | null) =>
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
      response.end(`${chunk({ tool_calls }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    }
  })
  return { ...staged, agent: await staged.ada.agent(scripted('text=x')) }
}

t.test('a failing call that is repeated is pointed out to the model, then the run ends', async (t) => {
  const { server, ada, play, agent } = await looped(t, () => [[name, '{"a":1,"b":2}']])
  play.tools = () => [failing()]
  const { events, runId } = await streamed(ada, agent, 'Go')
  t.match(events.at(-1), { type: 'error', code: 'loop_detected', message: /look failed 6 times/ })
  t.equal(ends(events).length, 6)
  t.match(looping(events), [
    { step: 3, toolName: name, failures: 3 },
    { step: 4, failures: 4 },
    { step: 5, failures: 5 }
  ])
  t.equal(looping(events)[0]?.callId, ends(events)[2]?.callId)
  const results = askedLast(server).messages.filter(({ role }) => role === 'tool')
  const hinted = results.map(
    ({ content }) => /<\/untrusted>\n\[loop_detected: .* failed (\d) times/.exec(String(content))?.[1]
  )
  t.same(hinted, [undefined, undefined, '3', '4', '5'], 'outside of what is untrusted')
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, {
    status: 'failed',
    error: { code: 'loop_detected' }
  })
})

t.test('calls that differ, or that succeed in between, are no loop', async (t) => {
  const calls = (step: number): Call[] => {
    if (step === 24) return []
    return step % 3 === 2 ? [['edit', '{}']] : [[name, step < 12 ? '{"a":1}' : `{"a":${step}}`]]
  }
  const { ada, play, agent } = await looped(t, calls)
  play.tools = () => [failing(), tool('edit', async () => ({ output: 'edited' }), { idempotent: true })]
  const { events } = await streamed(ada, agent, 'Go')
  t.match(events.at(-1), { type: 'final' })
  t.equal(looping(events).length, 0)
  t.equal(ends(events).length, 24)
})

t.test(
  'an unknown tool, arguments that are not an object, and the order of fields count as the same',
  async (t) => {
    const same: ((step: number) => Call[])[] = [
      () => [['nothing', '{}']],
      () => [[name, '[1]']],
      (step) => [[name, step % 2 ? '{"a":1,"b":{"c":2,"d":3}}' : '{"b":{"d":3,"c":2},"a":1}']]
    ]
    for (const calls of same) {
      const { ada, play, agent } = await looped(t, calls)
      play.tools = () => [failing()]
      const { events } = await streamed(ada, agent, 'Go')
      t.match(events.at(-1), { type: 'error', code: 'loop_detected' })
      t.equal(ends(events).length, 6)
    }
  }
)

t.test('calls of one reply count once', async (t) => {
  const { ada, play, agent } = await looped(t, (step) => (step > 1 ? [] : Array(5).fill([name, '{}'])))
  play.tools = () => [failing()]
  const { events } = await streamed(ada, agent, 'Go')
  t.match(events.at(-1), { type: 'final' })
  t.equal(looping(events).length, 0)
})

t.test('settings say when, and 0 turns it off', async (t) => {
  const forever = () => [[name, '{}'] as Call]
  const env = { RUN_MAX_STEPS: '8' }
  const limits = [
    [{ RUN_LOOP_HINT_AFTER: '0', RUN_LOOP_END_AFTER: '2' }, 'loop_detected', 2, 0],
    [{ RUN_LOOP_HINT_AFTER: '2', RUN_LOOP_END_AFTER: '0' }, 'step_limit', 8, 6],
    [{ RUN_LOOP_HINT_AFTER: '0', RUN_LOOP_END_AFTER: '0' }, 'step_limit', 8, 0]
  ] as const
  for (const [own, code, calls, told] of limits) {
    const { ada, play, agent } = await looped(t, forever, { ...env, ...own })
    play.tools = () => [failing()]
    const { events } = await streamed(ada, agent, 'Go')
    t.match(events.at(-1), { code })
    t.equal(ends(events).length, calls)
    t.equal(looping(events).length, told)
  }
})
