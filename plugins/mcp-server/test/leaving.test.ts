import { once } from 'node:events'
import type { Client as McpClient } from '@modelcontextprotocol/client'
import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { createClient } from '../../../test/client.ts'
import type { Era } from './testbed.ts'
import { connect, scripted, send, stage } from './testbed.ts'

const held: (() => void)[] = []
const { booted, server, ada, eve } = await stage(t, {
  packs: ['packs'],
  // What is said to `hold` is answered when the test lets go.
  async respond({ body }) {
    if (!body.model.includes('hold')) return undefined
    await new Promise<void>((resolve) => held.push(resolve))
    return { text: 'At last' }
  }
})
const holding = await ada.agent(scripted('hold=1'))
const name = `agent_${holding.id.slice(6)}`
const letGo = () => {
  for (const go of held.splice(0)) go()
}

/** A call whose run waits for its model. */
async function begin(mcp: McpClient) {
  const leave = new AbortController()
  const told = Promise.withResolvers<string>()
  const asked = once(server.events, 'request')
  const result = mcp.callTool(
    { name, arguments: { message: 'Hello' } },
    {
      signal: leave.signal,
      onprogress: ({ message }) => {
        const runId = /^(run_\w+) began$/.exec(message ?? '')?.[1]
        if (runId) told.resolve(runId)
      }
    }
  )
  result.catch(() => undefined)
  const [runId] = await Promise.all([told.promise, asked])
  return { runId, leave, result }
}

const statusOf = async (client: Client, runId: string) =>
  (await client.get(`/v1/agents/runs/${runId}`)).body.data.status

/** The run's record once it has ended. */
async function ended(runId: string) {
  const reply = await ada.post(`/v1/agents/runs/${runId}/stream`)
  t.equal(reply.status, 200)
  return statusOf(ada, runId)
}

t.test('a client that is cut off finds the result later', async (t) => {
  for (const era of ['sessions', 'stateless'] satisfies Era[]) {
    const { runId, result } = await (async () => {
      const mcp = await connect(t, booted, ada, era)
      const begun = await begin(mcp)
      await mcp.close()
      return begun
    })()
    await t.rejects(result)
    t.equal(await statusOf(ada, runId), 'running')
    const mcp = await connect(t, booted, ada, era)
    const fetched = mcp.callTool({ name, arguments: { runId } })
    letGo()
    t.match(await fetched, { structuredContent: { runId, status: 'completed', content: 'At last' } })
  }
})

t.test('a call that is cancelled by the session protocol cancels its run', async (t) => {
  const mcp = await connect(t, booted, ada, 'sessions')
  const { runId, leave, result } = await begin(mcp)
  leave.abort()
  await t.rejects(result)
  t.equal(await ended(runId), 'cancelled')
  held.splice(0)
})

t.test('without sessions a call is left by closing it, and its run goes on', async (t) => {
  const mcp = await connect(t, booted, ada, 'stateless')
  const { runId, leave, result } = await begin(mcp)
  leave.abort()
  await t.rejects(result)
  letGo()
  t.equal(await ended(runId), 'completed')
})

t.test('no client cancels the call of another principal, or one of another session', async (t) => {
  const call = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: { message: 'Hello' } }
  }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  const session = { 'mcp-session-id': 'one' }
  const asked = once(server.events, 'request')
  const result = send(ada, call, session)
  await asked
  t.match(await send(eve, cancel, session), { status: 202 })
  t.match(await send(ada, cancel, { 'mcp-session-id': 'another' }), { status: 202 })
  t.match(await send(ada, cancel), { status: 202 })
  t.match(await send(ada, { ...cancel, params: { requestId: '7' } }, session), { status: 202 })
  letGo()
  t.match((await result).message, { id: 7, result: { structuredContent: { status: 'completed' } } })
})

t.test('a call is cancelled on whichever instance it goes on', async (t) => {
  const { booted: beside } = await stage(t, { beside: booted })
  const key = await ada.key()
  const there = createClient(beside.url, 'ada', key)
  const call = {
    jsonrpc: '2.0',
    id: 8,
    method: 'tools/call',
    params: { name, arguments: { message: 'Hello' } }
  }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } }
  const session = { 'mcp-session-id': 'two' }
  const asked = once(server.events, 'request')
  const result = send(ada, call, session)
  await asked
  t.match(await send(there, cancel, session), { status: 202 })
  const left = await result.catch(() => undefined)
  t.equal(left?.message?.result, undefined)
  held.splice(0)
})

t.test('a reload is not noticed', async (t) => {
  for (const pack of ['mcp-server', 'runs', 'agents']) {
    const mcp = await connect(t, booted, ada, 'sessions')
    const { runId, result } = await begin(mcp)
    t.match(await booted.admin.post(`/v1/packs/${pack}/reload`), { status: 200 })
    letGo()
    t.match(await result, { structuredContent: { runId, content: 'At last' } }, pack)
  }
})

t.test('a key that is revoked ends what it began to read', async (t) => {
  const order = { name: 'short-lived', scopes: ['mcp:write', 'agents:run'] }
  const { body } = await ada.post('/v1/auth/api-keys', order)
  const mcp = await connect(t, booted, createClient(booted.url, 'ada', body.data.key), 'stateless')
  const cut = new Promise<Error>((resolve) => {
    mcp.onerror = resolve
  })
  const { runId } = await begin(mcp)
  t.match(await ada.delete(`/v1/auth/api-keys/${body.data.id}`), { status: 200 })
  t.match((await cut).message, /disconnected/)
  await t.rejects(mcp.listTools())
  letGo()
  t.equal(await ended(runId), 'completed')
})
