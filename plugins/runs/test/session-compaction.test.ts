import t from 'tap'
import { sayText } from './model-replies.ts'
import { askedLast, listen, messagesOf, run, STREAM, saying, scripted, stage } from './testbed.ts'

let isAway = false
const staged = stage(t, {
  respond: ({ body }, response) => {
    if (!String(body.messages[0]?.content).startsWith('You shorten the history')) return undefined
    if (isAway) return void response.writeHead(500).end('{"error":{"message":"Away"}}')
    sayText(response, `Summary of ${String(body.messages[1]?.content).match(/turn \d+/g)?.length} turns.`)
  }
})

async function conversation(turns: number) {
  const { ada } = await staged
  const agent = await ada.agent(scripted('text=ok'))
  const { sessionId } = (await run(ada, agent, 'turn 0')).body.data
  for (let turn = 1; turn < turns; turn++) await run(ada, agent, `turn ${turn}`, { sessionId })
  return { agent, sessionId, path: `/v1/sessions/${sessionId}/compact` }
}

t.test('compacts a session at the request of its owner', async (t) => {
  const { ada, server, booted } = await staged
  const { agent, sessionId, path } = await conversation(8)
  const reply = await ada.post(path, { keepMessages: 4, instructions: 'Keep the names of birds.' })
  t.match(reply, {
    status: 200,
    body: {
      data: {
        sessionId,
        content: 'Summary of 6 turns.',
        messages: 12,
        tokensBefore: Number,
        tokensAfter: Number
      }
    }
  })
  t.match(askedLast(server).messages[0]?.content, /Keep the names of birds\.$/)
  t.match(await messagesOf(ada, sessionId), { length: 17 }, 'the messages stay')
  await run(ada, agent, 'turn 8', { sessionId })
  t.same(
    askedLast(server)
      .messages.flatMap(({ content }): string[] =>
        Array.isArray(content) ? content.map(({ text }) => text) : [String(content)]
      )
      .map((text) => text.replace(/<summary>[\s\S]*\n\n/, '<summary> ')),
    ['<summary> Summary of 6 turns.\n</summary>', 'turn 6', 'ok', 'turn 7', 'ok', 'turn 8']
  )
  const [fact] = await booted.platform.knex('kernel.fact').where({ name: 'models.asked' })
  t.match(fact?.data, { purpose: 'compaction', agentId: agent.id, sessionId, runId: null }, 'it is charged')

  const again = await ada.post(path, { keepMessages: 0 })
  t.match(again, { status: 200, body: { data: { messages: 6 } } }, 'with the earlier summary in it')
  t.match(JSON.stringify(askedLast(server).messages), /Summary of 6 turns/)
  t.match(await ada.post(path, {}), { status: 409, body: { error: { code: 'nothing_to_compact' } } })
})

t.test('lets nobody else compact a session, and names what is wrong', async (t) => {
  const { ada, eve, booted } = await staged
  const { path, sessionId } = await conversation(4)
  t.match(await eve.post(path, {}), { status: 403 })
  t.match(await ada.post('/v1/sessions/session_nope/compact', {}), { status: 404 })
  t.match(await ada.post(path, { keepMessages: -1 }), {
    status: 400,
    body: { error: { param: '/keepMessages' } }
  })
  t.match(await ada.post(path, { keep: 1 }), { status: 400 })
  t.match(await ada.post(path, { instructions: '' }), {
    status: 400,
    body: { error: { param: '/instructions' } }
  })
  const few = await conversation(1)
  t.match(await ada.post(few.path, {}), { status: 409, body: { error: { code: 'nothing_to_compact' } } })

  isAway = true
  t.match(await ada.post(path, { keepMessages: 0 }), { status: 502 })
  isAway = false
  t.equal((await messagesOf(ada, sessionId)).length, 8, 'nothing was written')

  const slow = await ada.agent(scripted('text=ok&hang=headers'))
  const stream = await listen(booted, ada, STREAM, saying(slow, 'Wait'))
  const begun = await stream.until('run_started')
  t.match(await ada.post(`/v1/sessions/${begun.sessionId}/compact`, { keepMessages: 0 }), {
    status: 409,
    body: { error: { code: 'session_busy' } }
  })
  await ada.post(`/v1/agents/runs/${stream.runId}/cancel`)
  await stream.rest()
})
