import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { json, service } from '../../../test/loopback.ts'
import { proxy } from '../../../test/proxy.ts'
import type { CallStore } from '../stores/calls.ts'
import { assign, puppetStage } from './testbed.ts'

const { connection } = await database(t)
const { host = '', port = 5432 } = connection
const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
const beside = { connection: { ...connection, host: way.host, port: way.port } } as Booted
const { booted, ada, play } = await puppetStage(t, { beside, env: { TOOL_SECONDS: '3' } })
const { knex } = booted.platform
const agent = await ada.agent()
await assign(ada, agent, 'act')
await assign(ada, agent, 'ask')

const call = async (toolName: string) =>
  (await ada.post('/v1/agents/tools', { agentId: agent.id, toolName })).body.data
const recordOf = async (callId: string) => (await ada.get(`/v1/tools/calls/${callId}`)).body.data
const work = async (key: string) => {
  const found = booted.platform.points.all('jobs.worker').find((it) => it.key === key)
  await found?.value.work({}, new AbortController().signal)
}

t.test('what ended while the database was away is recorded when it is back, once', async (t) => {
  const callStore = booted.platform.server.current().packs.get('tools')?.deps.callStore as CallStore
  const { settle } = callStore
  let [calls, failures] = [0, 0]
  callStore.settle = (...ended) =>
    settle(...ended).catch((error) => {
      failures++
      way.mend()
      throw error
    })
  play.act = async () => {
    calls++
    way.cut()
    return { output: 'done' }
  }
  const outcome = await call('act')
  callStore.settle = settle
  t.equal(failures, 1, 'the database was away when it was to be recorded')
  t.match(outcome, { output: 'done', isError: false })
  t.equal(calls, 1)
  t.match(await recordOf(outcome.callId), { status: 'succeeded', endedAt: String })
  const facts = await knex('kernel.fact').where({ name: 'tools.called' })
  t.equal(facts.filter(({ data }) => data.callId === outcome.callId).length, 1)
})

t.test('what nobody saw the end of is of unknown outcome', async (t) => {
  const api = await service(t, (reply, { path }) =>
    path === '/reset' ? reply.destroy() : json(reply, 500, 'no')
  )
  const tool = async (name: string, url: string, idempotent = false) => {
    const config = { method: 'POST', url }
    const { body } = await ada.post('/v1/tools', { name, description: 'x', config, idempotent })
    await assign(ada, agent, body.data.id)
  }
  await tool('resets', `${api.url}/reset`)
  await tool('refuses', `${api.url}/no`)
  await tool('repeats', `${api.url}/reset`, true)
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await tool('unreached', `http://127.0.0.1:${port}`)
  play.act = () => new Promise(() => undefined)
  for (const [name, status] of [
    ['act', 'unknown'],
    ['resets', 'unknown'],
    ['refuses', 'failed'],
    ['repeats', 'failed'],
    ['unreached', 'failed']
  ] as const) {
    const { callId, output, isError } = await call(name)
    t.equal(isError, true)
    t.equal(/outcome of the call is unknown/.test(JSON.stringify(output)), status === 'unknown', name)
    t.match(await recordOf(callId), { status }, name)
  }
})

t.test('calls of a process that died are settled as soon as it is known', async (t) => {
  play.act = async () => ({ output: 'done' })
  const [lost, alive] = [(await call('act')).callId, (await call('act')).callId]
  const running = { status: 'running', size: null, endedAt: null }
  const [row] = await knex('kernel.instance')
    .insert({ host: 'elsewhere', pid: 1, version: '', deadAt: new Date() })
    .returning('id')
  await knex('tools.call')
    .where({ id: lost })
    .update({ ...running, instance: row.id })
  await knex('tools.call').where({ id: alive }).update(running)
  await work('tools.lost')
  t.match(await recordOf(lost), { status: 'unknown', endedAt: String })
  t.match(await recordOf(alive), { status: 'running', endedAt: null })
})

t.test('what is short and harmless is recorded with its end, the rest before', async (t) => {
  play.ask = async () => ({ output: await knex('tools.call').where({ status: 'running', toolId: 'ask' }) })
  t.match((await call('ask')).output, [])
  play.act = async ({ id }) => ({ output: await knex('tools.call').where({ id }).first('status') })
  t.match((await call('act')).output, { status: 'running' })
  const seen = Promise.withResolvers<void>()
  play.ask = async ({ id }) => {
    while (!(await knex('tools.call').where({ id, status: 'running' }).first('id')));
    seen.resolve()
    return { output: 'seen' }
  }
  const { callId, output } = await call('ask')
  t.equal(output, 'seen')
  t.match(await recordOf(callId), { status: 'succeeded', toolName: 'ask' })
})

t.test('records are kept for as long as the setting says', async (t) => {
  play.act = async () => ({ output: 'done' })
  const [old, recent] = [(await call('act')).callId, (await call('act')).callId]
  const id = 'call_00000000000000000000000000'
  await knex('tools.call')
    .where({ id: old })
    .update({ id, createdAt: new Date(0) })
  await work('tools.old')
  t.equal((await ada.get(`/v1/tools/calls/${id}`)).status, 404)
  t.match(await recordOf(recent), { status: 'succeeded' })
})
