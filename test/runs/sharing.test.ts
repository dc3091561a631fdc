// tier: whole
// servers: PostgreSQL and Redis
import { once } from 'node:events'
import t from 'tap'
import { ANSWER, messagesOf, RUN, typesOf } from '../../plugins/runs/test/testbed.ts'
import { faultsOf } from './account.ts'
import { read } from './reader.ts'
import { town } from './town.ts'

const place = await town(t, { env: { RUN_CONTEXT_MESSAGES: '200' } })
const other = await place.beside()

t.test('a run is read on another instance, as it goes on', async (t) => {
  const run = await place.begin(place, place.story({ calls: [['again', 'once'], ['again']] }))
  const away = await read(t, other, { runId: run.id })
  await away.over
  t.same(await faultsOf(place, run), [])
  t.same(away.lines, run.reader.lines)
  t.notMatch(typesOf(away.events), 'status', 'nobody had to take it over')
})

t.test('cancelled there, the call of the model ends here', async (t) => {
  const left = once(place.model.events, 'left')
  const run = await place.begin(place, place.story({ words: 2_000, pace: 10 }))
  const away = await read(t, other, { runId: run.id })
  await away.until(({ type }) => type === 'token')
  const { status, body } = await other.client.post(`/v1/agents/runs/${run.id}/cancel`)
  await left
  t.equal(status, 200)
  t.match(body.data, { status: 'cancelled' })
  t.equal((await run.reader.over).at(-1)?.type, 'cancelled')
  await away.over
  t.same(away.lines, run.reader.lines)
  t.same((await place.client.get(`/v1/agents/runs/${run.id}`)).body.data, body.data)
  const said = run.reader.events.map(({ type, content }) => (type === 'token' ? content : '')).join('')
  t.equal(body.data.content, said)
  t.match(await messagesOf(other.client, body.data.sessionId), [{ role: 'user' }, { content: said }])
})

t.test('the answer of a caller comes to another instance', async (t) => {
  const cliTools = [{ name: 'dig' }, { name: 'fill' }]
  const story = place.story({
    calls: [
      ['dig', 'fill'],
      ['again', 'dig']
    ]
  })
  const run = await place.begin(place, story, { cliTools })
  for (let call = 0; call < 3; call++) {
    const asked = () => run.reader.events.filter(({ type }) => type === 'cli_tool_request')
    await run.reader.until(() => asked().length > call)
    const callId = asked()[call]?.callId
    const answer = { runId: run.id, callId, output: `answered ${callId}` }
    t.match(await other.client.post(ANSWER, answer), { status: 200, body: { data: { id: run.id } } })
  }
  t.same(await faultsOf(place, run), [])
})

t.test('thirty runs of one session, begun on both instances in turns', async (t) => {
  const first = await place.client.post(RUN, place.bodyOf(place.story({ words: 1 })))
  const { sessionId } = first.body.data
  const stories = Array.from({ length: 30 }, () => place.story({ words: 2, pace: 0 }))
  const replies = await Promise.all(
    stories.map((story, turn) =>
      (turn % 2 ? other : place).client.post(RUN, place.bodyOf(story, { sessionId }))
    )
  )
  t.same(
    replies.filter(({ status, body }) => status !== 200 || body.data.content !== '1.0 1.1 '),
    []
  )
  const messages = await messagesOf(place.client, sessionId)
  const contents = messages.map(({ content }) => content)
  t.same(
    messages.map(({ role }) => role),
    Array.from({ length: 62 }, (_, n) => (n % 2 ? 'assistant' : 'user'))
  )
  for (const [turn, story] of stories.entries()) {
    const asks = place.model.of(story.name)
    t.equal(asks.length, 1)
    const at = contents.indexOf(JSON.stringify(story))
    t.equal(messages[at]?.runId, messages[at + 1]?.runId)
    t.equal(messages[at]?.runId, replies[turn]?.body.data.id)
    t.same(asks[0]?.history, contents.slice(0, at), 'it knew all that had been said before')
  }
})
