import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import pg from 'pg'
import type { RunBody, RunnerOrder } from '../runners.ts'
import { answer } from './answers.ts'
import { createAsking } from './asking.ts'

// The least work that a run can be which is kept: Fastify, pg and undici; nobody is asked who they are, nothing is
// checked, nothing is limited. Two statements a run: session, message and run; reply, run and its events.
const TABLES = `
create table session (id uuid primary key, "createdAt" timestamptz not null default now());
create table message (
  id bigint generated always as identity primary key, session uuid not null, seq int not null,
  role text not null, content text not null
);
create index on message (session, seq);
create table run (
  id uuid primary key, session uuid not null, status text not null, answer text,
  "createdAt" timestamptz not null default now(), "endedAt" timestamptz
);
create table run_event (
  run uuid not null, seq int not null, last int not null, body jsonb not null, primary key (run, seq)
)`
const next = 'select coalesce(max(seq), -1) + 1 from message where session = $1'
const START = `with s as (insert into session (id) values ($1) on conflict do nothing),
  m as (insert into message (session, seq, role, content) values ($1, (${next}), 'user', $3))
  insert into run (id, session, status) values ($2, $1, 'running')`
const HISTORY = 'select role, content from message where session = $1 order by seq desc limit 10'
const END = `with m as (insert into message (session, seq, role, content) values ($1, (${next}), 'assistant', $3)),
  e as (insert into run_event (run, seq, last, body) values ($2, $4, $5, $6))
  update run set status = 'completed', answer = $3, "endedAt" = now() where id = $2`

const app = Fastify()
let db: pg.Pool
let asking: ReturnType<typeof createAsking>

async function begin({ agentId: model, sessionId, messages: given }: RunBody) {
  const session = sessionId ?? randomUUID()
  const run = randomUUID()
  const content = given.at(-1)?.content ?? ''
  await db.query({ name: 'start', text: START, values: [session, run, content] })
  const history = sessionId
    ? (await db.query({ name: 'history', text: HISTORY, values: [session] })).rows.reverse()
    : [{ role: 'user', content }]
  return { session, run, model, messages: [{ role: 'system', content: 'You are an agent.' }, ...history] }
}

const end = (session: string, run: string, content: string, seq: number, last: number, body: string) =>
  db.query({ name: 'end', text: END, values: [session, run, content, seq, last, body] })

app.post('/v1/agents/run', async (request) => {
  const { session, run, model, messages } = await begin(request.body as RunBody)
  const { body } = await asking.ask({ model, messages })
  const { choices } = (await body.json()) as { choices: [{ message: { content: string } }] }
  const { content } = choices[0].message
  await end(session, run, content, 0, 1, '[]')
  return { data: { id: run, sessionId: session, status: 'completed', content } }
})

const room = (out: ServerResponse) =>
  new Promise<void>((resolve) => {
    out.once('drain', resolve)
    out.once('close', resolve)
  })

app.post('/v1/agents/run/stream', async (request, reply) => {
  const { session, run, model, messages } = await begin(request.body as RunBody)
  const { body } = await asking.ask({ model, messages, stream: true })
  reply.hijack()
  const out = reply.raw
  out.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let seq = 0
  let content = ''
  const events: string[] = []
  const event = (type: string, fields: string) =>
    `{"type":"${type}","runId":"${run}","seq":${seq++}${fields}}`
  out.write(`data: ${event('run_started', `,"sessionId":"${session}"`)}\n\n`)
  for await (const words of asking.words(body)) {
    let text = ''
    for (const word of words) {
      content += word
      const token = event('token', `,"phase":"final_answer","content":${JSON.stringify(word)}`)
      events.push(token)
      text += `data: ${token}\n\n`
    }
    if (!out.write(text)) await room(out)
  }
  await end(session, run, content, 0, seq, `[${events.join(',')}]`)
  out.end(`data: ${event('final', `,"sessionId":"${session}","content":${JSON.stringify(content)}`)}\n\n`)
})

answer(
  {
    async start({ connection, modelUrl }: RunnerOrder) {
      db = new pg.Pool({ ...connection, max: 16 })
      await db.query(TABLES)
      asking = createAsking(modelUrl)
      await app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    },
    address: () => ({ url: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` })
  },
  () => db.end()
)
