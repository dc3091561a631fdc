import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { EventSource } from 'eventsource'
import type { Test } from 'tap'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import type { Event } from './testbed.ts'
import {
  eventsOf,
  listen,
  local,
  RUN,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  stage,
  streamed,
  textOf,
  typesOf
} from './testbed.ts'

const { booted, server, ada } = await stage(t)
const agent = await ada.agent(local)
/** Many events, over some time. */
const slowly = '/think Hm hm\n/wait 2\n/repeat 40 word'

/** Numbered without gaps, of one run, with one last event and no other that ends. */
function whole(t: Test, events: readonly Event[], runId: string) {
  t.same(
    events.map(({ seq, runId }) => [seq, runId]),
    events.map((_, seq) => [seq, runId])
  )
  const ends = events.filter(({ type }) => ['final', 'error', 'cancelled'].includes(type))
  t.same(ends, [events.at(-1)])
}

t.test('a run is told event by event', async (t) => {
  const { status, headers, runId, events } = await streamed(ada, agent, '/think Hm hm\nHello there')
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/event-stream/)
  t.match(headers.get('cache-control'), /no-cache/)
  t.ok(headers.get('x-request-id'))
  whole(t, events, runId)
  const { sessionId, usage, content } = (await ada.get(`/v1/agents/runs/${runId}`)).body.data
  t.equal(content, 'You said: Hello there')
  const untimed = events.map(({ at: _, ...event }) => event)
  t.same(untimed.slice(0, 3), [
    { type: 'run_started', runId, seq: 0, sessionId },
    { type: 'status', runId, seq: 1, status: 'running' },
    { type: 'agent_step', runId, seq: 2, step: 1, attempt: 1 }
  ])
  t.same(untimed.at(-1), {
    ...{ type: 'final', runId, seq: events.length - 1, sessionId, content },
    ...{ finishReason: 'stop', usage }
  })
  const tokens = events.slice(3, -1)
  t.ok(tokens.length >= 2)
  for (const token of tokens)
    t.same(Object.keys(token).sort(), ['at', 'content', 'phase', 'runId', 'seq', 'type'])
  t.equal(textOf(tokens, 'commentary'), 'Hm hm')
  t.equal(textOf(tokens), content)
})

t.test('a failure is told as the last event', async (t) => {
  const { runId, events } = await streamed(ada, agent, '/say Half\n/fail 400 Nonsense')
  whole(t, events, runId)
  t.same(typesOf(events), ['run_started', 'status', 'agent_step', 'token', 'error'])
  t.match(events.at(-1), { code: 'model_request_rejected', message: /\(400\): Nonsense/ })
})

t.test('a reader that resumes after any event gets the very rest', async (t) => {
  const { runId, text, events } = await streamed(ada, agent, slowly)
  const stream = `/v1/agents/runs/${runId}/stream`
  const frames = text.split(/(?<=\n\n)/)
  t.equal(frames.length, events.length)
  t.ok(frames.length > 5)
  const withIds = frames.map((frame, seq) => `id: ${seq}\n${frame}`)
  for (let after = -1; after < frames.length; after++) {
    const rest = frames.slice(after + 1).join('')
    const restWithIds = withIds.slice(after + 1).join('')
    t.equal((await ada.post(stream, { after })).text, rest, `body ${after}`)
    t.equal((await ada.post(`${stream}?after=${after}`)).text, rest, `query ${after}`)
    t.equal((await ada.get(`${stream}?after=${after}`)).text, restWithIds, `query ${after}`)
    if (after >= 0)
      t.equal(
        (await ada.get(stream, { 'last-event-id': String(after) })).text,
        restWithIds,
        `header ${after}`
      )
  }
  t.equal((await ada.post(stream)).text, text, 'nothing said is from the beginning')
  t.equal((await ada.post(stream, {})).text, text)
  t.equal((await ada.get(stream)).text, withIds.join(''))
  t.equal(
    (await ada.post(`${stream}?after=0`, { after: 2 }, { 'last-event-id': '1' })).text,
    frames.slice(3).join(''),
    'the body comes first'
  )
  t.equal((await ada.get(`${stream}?after=2`, { 'last-event-id': '1' })).text, withIds.slice(3).join(''))
})

t.test('readers of a run that goes on see the same, whenever they come', async (t) => {
  const first = await listen(booted, ada, STREAM, saying(agent, slowly))
  await first.until('token')
  const stream = `/v1/agents/runs/${first.runId}/stream`
  const [a, b, c] = await Promise.all([ada.post(stream), ada.post(stream), ada.get(stream)])
  t.equal(a.text, b.text)
  t.same(eventsOf(c.text), eventsOf(a.text))
  t.same(eventsOf(a.text), await first.rest())
  whole(t, eventsOf(a.text), first.runId)
})

t.test('a reader that leaves cancels nothing', async (t) => {
  const stream = await listen(booted, ada, STREAM, saying(agent, slowly))
  await stream.until('token')
  stream.close()
  const ended = await runOnce(ada, stream.runId, ({ body }) => body.data.endedAt !== null)
  t.match(ended.body.data, { status: 'completed', content: /^(word ?){40}$/ })

  const hanging = await ada.agent(scripted('text=Here you are&ttft=100'))
  const leaving = new AbortController()
  const asked = once(server.events, 'request')
  const left = fetch(booted.url + RUN, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${await ada.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify(saying(hanging, 'Hello'))
  })
  await asked
  leaving.abort()
  await t.rejects(left)
  // The model is asked while what is asked of it is made durable.
  const [session] = await until(
    async () => (await ada.get(`/v1/sessions/agent/${hanging.id}`)).body.data,
    (sessions) => sessions.length > 0
  )
  const again = await run(ada, hanging, 'Hello again', { sessionId: session.id })
  t.equal(again.status, 200)
  t.equal((await ada.get(`/v1/sessions/${session.id}/full`)).body.data.messages.length, 4)
})

t.test('EventSource follows a run', async (t) => {
  const begun = await listen(booted, ada, STREAM, saying(agent, slowly))
  const authorization = `Bearer ${await ada.key()}`
  const source = new EventSource(`${booted.url}/v1/agents/runs/${begun.runId}/stream`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization } })
  })
  const heard: [string, Event][] = []
  await new Promise<void>((resolve) => {
    source.onmessage = ({ data, lastEventId }) => {
      const event: Event = JSON.parse(data)
      heard.push([lastEventId, event])
      if (event.type === 'final') resolve()
    }
  })
  source.close()
  const events = await begun.rest()
  t.same(
    heard,
    events.map((event) => [String(event.seq), event])
  )
})

const noCurl = spawnSync('curl', ['--version']).error ? 'curl is not installed' : false
t.test('curl follows a run', { skip: noCurl }, async (t) => {
  const curl = async (path: string, args: string[]) => {
    const headers = ['-H', `authorization: Bearer ${await ada.key()}`, '-H', 'content-type: application/json']
    const child = spawn('curl', ['-sSN', ...headers, ...args, booted.url + path])
    return text(child.stdout)
  }
  const told = eventsOf(await curl(STREAM, ['-d', JSON.stringify(saying(agent, slowly))]))
  whole(t, told, told[0]?.runId ?? '')
  const stream = `/v1/agents/runs/${told[0]?.runId}/stream`
  t.same(eventsOf(await curl(stream, ['-d', '{"after":3}'])), told.slice(4))
  t.same(eventsOf(await curl(stream, ['-H', 'last-event-id: 4'])), told.slice(5))
})
