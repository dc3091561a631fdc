// What the compiler must refuse, and what it must know. `tsc` checks this file; nothing runs it.

import type { Agent, Run, RunEvent } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_same: Same<A, B>) => undefined

export async function calls() {
  const platform = createClient({ baseUrl: 'http://127.0.0.1:3000' })
  const params = { path: { agentId: 'agent_1' } }

  const { data: agent } = await platform.get('/v1/agents/{agentId}', { params })
  same<typeof agent, Agent>(true)
  const { data: agents, nextCursor } = await platform.get('/v1/agents')
  same<typeof agents, Agent[]>(true)
  same<typeof nextCursor, string | null>(true)
  const removed = await platform.delete('/v1/agents/{agentId}', { params })
  same<typeof removed, { data: { id: string; deleted: true } }>(true)
  for await (const one of platform.list('/v1/agents')) same<typeof one, Agent>(true)
  const text = await platform.get('/metrics')
  same<typeof text, string>(true)
  const run = await platform.runs.run({ agentId: 'agent_1', messages: [] })
  same<typeof run, Run>(true)
  await platform.post('/v1/agents/runs/{runId}/cancel', { params: { path: { runId: 'run_1' } } })
  await platform.post('/v1/agents', { body: { name: 'Ada' }, idempotencyKey: false })
  await platform.post('/v1/compute/{path}', { params: { path: { path: 'jobs' } }, body: new Blob(['{}']) })

  const form = new FormData()
  form.set('file', new Blob(['# Minutes']), 'minutes.md')
  const { data: uploaded } = await platform.post('/v1/files/upload', {
    body: form,
    idempotencyKey: 'minutes'
  })
  for (const { id, sha256 } of [uploaded].flat()) same<typeof id | typeof sha256, string>(true)
  // @ts-expect-error: files go in a form
  await platform.post('/v1/files/upload', { body: { file: new Blob(['# Minutes']) } })
  const picture = await platform.get('/v1/agents/{agentId}/avatar', { params })
  same<typeof picture, Blob>(true)

  // @ts-expect-error: there is no such path
  await platform.get('/v1/agent')
  // @ts-expect-error: not with this method
  await platform.delete('/v1/agents')
  // @ts-expect-error: the parameter is missing
  await platform.get('/v1/agents/{agentId}')
  // @ts-expect-error: the parameter has another name
  await platform.get('/v1/agents/{agentId}', { params: { path: { id: 'agent_1' } } })
  // @ts-expect-error: the query has no such name
  await platform.get('/v1/agents', { params: { query: { page: 1 } } })
  // @ts-expect-error: the body is missing
  await platform.post('/v1/agents')
  // @ts-expect-error: the name is missing
  await platform.post('/v1/agents', { body: { instructions: 'Be brief' } })
  // @ts-expect-error: the name is no number
  await platform.post('/v1/agents', { body: { name: 1 } })
  // @ts-expect-error: there is no such field
  await platform.post('/v1/agents', { body: { name: 'Ada', nickname: 'Countess' } })
  // @ts-expect-error: there is no such field of a run
  await platform.runs.run({ agentId: 'agent_1', messages: [], sesionId: 'session_1' })
  // @ts-expect-error: it answers with one thing
  platform.list('/v1/agents/{agentId}', { params })
  // @ts-expect-error: the address is missing
  createClient({ apiKey: 'ap_test_key' })
}

export function events(event: RunEvent): string {
  switch (event.type) {
    case 'token':
      return event.content
    case 'final':
      same<typeof event.usage.outputTokens, number>(true)
      return event.content
    case 'cli_tool_request':
      return event.callId
    case 'error':
      // @ts-expect-error: it has no text
      return event.content
    default:
      // @ts-expect-error: not every event has a name of a tool
      return event.toolName
  }
}
