import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { json, service } from '../../../test/loopback.ts'
import { inShortTurns } from '../../../test/turns.ts'
import { assign, puppetStage } from './testbed.ts'

t.test('what users do who mean no good', async (t) => {
  const { booted, ada, play } = await puppetStage(t)
  const api = await service(t, (reply, { path, body }) => json(reply, 200, { path, length: body.length }))
  const agent = await ada.agent()
  let count = 0
  const tool = async (config: object, fields: object = {}, client: Client = ada) => {
    const about = { name: `tool_number_${++count}`, description: 'Does it', ...fields }
    const { status, body } = await client.post('/v1/tools', {
      ...about,
      config: { method: 'GET', url: api.url, ...config }
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data as { id: string; name: string }
  }
  const key = async (value: string, host = api.host) => {
    const { body } = await ada.post('/v1/tool-keys', { name: 'A key', value, allowedHosts: [host] })
    return body.data.id as string
  }
  const map = (keyId: string, { id }: { id: string }, part: string, name: string) =>
    ada.post('/v1/tool-keys/map', { keyId, toolId: id, in: part, name })
  const call = async ({ name }: { name: string }, args: object = {}) =>
    (await ada.post('/v1/agents/tools', { agentId: agent.id, toolName: name, args })).body.data

  t.test('of those whom a service serves, none sees the calls of another', async (t) => {
    const robot = booted.as('robot', { type: 'service' })
    const [alice, bob] = [{ 'x-initiator': 'alice' }, { 'x-initiator': 'bob' }]
    const served = await robot.agent()
    await assign(robot, served, 'act')
    play.act = async () => ({ output: 'private '.repeat(10_000) })
    const order = { agentId: served.id, toolName: 'act' }
    const { body } = await robot.post('/v1/agents/tools', order, alice)
    const path = `/v1/tools/calls/${body.data.callId}`
    t.match(await robot.get(path, bob), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await robot.get(`${path}/output`, bob), { status: 403 })
    t.same((await robot.get('/v1/tools/calls', bob)).body.data, [])
    t.same((await robot.get(`/v1/tools/calls?agentId=${served.id}`, bob)).body.data, [])
    t.match(await robot.get(path, alice), { status: 200, body: { data: { owner: 'alice' } } })
    t.match(await robot.get(`${path}/output`, alice), { status: 200 })
    t.match(await robot.get(path), { status: 200 })
  })

  t.test('a template without an end costs no time', async (t) => {
    const endless = `{{${' '.repeat(50_000)}`
    const { id } = await inShortTurns(t, () => tool({ method: 'POST', body: endless }))
    t.match(await ada.get(`/v1/tools/${id}`), { body: { data: { config: { body: endless } } } })
  })

  t.test('an argument that stands everywhere makes no request that fills the memory', async (t) => {
    const parameters = { type: 'object', properties: { x: { type: 'string' } } }
    const list = await tool({ method: 'POST', body: Array(4_000).fill('{{x}}') }, { parameters })
    const text = await tool({ method: 'POST', body: '{{x}}'.repeat(4_000) }, { parameters })
    for (const it of [list, text]) {
      await assign(ada, agent, it.id)
      const before = api.asked.length
      t.match(await call(it, { x: 'x'.repeat(10_000) }), { isError: true, output: /too large/ })
      t.equal(api.asked.length, before)
      t.match(await call(it, { x: 'x' }), { isError: false })
    }
  })

  t.test('many edits at once wait for each other, and not for themselves', async (t) => {
    const tools = await Promise.all(Array.from({ length: 30 }, () => tool({})))
    for (const { id } of tools) {
      const grant = { toolId: id, subjectType: 'agent', subjectId: agent.id, level: 'use' }
      await ada.post('/v1/tool-permissions/grant', grant)
    }
    const all = async (send: (it: { id: string }) => Promise<{ status: number }>) => {
      const replies = await Promise.all(tools.map(send))
      // If they waited for themselves, none had a connection. On a busy machine the last of them may not have one in time.
      t.ok(replies.some(({ status }) => status === 200))
      const statuses = new Set<number>()
      for (const [n, tool] of tools.entries()) {
        let status = replies[n]?.status ?? 0
        while (status === 503) status = (await send(tool)).status
        statuses.add(status)
      }
      return [...statuses].join()
    }
    t.equal(await all(({ id }) => ada.put(`/v1/tools/${id}`, { description: 'Does more' })), '200')
    const transfer = '/v1/tool-permissions/transfer-ownership'
    t.equal(await all(({ id }) => ada.post(transfer, { toolId: id, newOwner: 'eve' })), '200')
    const eve = booted.as('eve')
    t.equal(await all(({ id }) => eve.delete(`/v1/tools/${id}`)), '200')
  })

  t.test('a key for https is not sent in the clear, on whatever port', async (t) => {
    const id = await key('sk-0123456789abcdef', 'example.com')
    const clear = await tool({ url: 'http://example.com:443/' })
    const refused = { status: 403, body: { error: { code: 'host_not_allowed' } } }
    t.match(await map(id, clear, 'header', 'x-key'), refused)
    t.match(
      await ada.post(`/v1/tool-keys/${id}/test`, {
        url: 'http://example.com:443/',
        in: 'header',
        name: 'x-key'
      }),
      refused
    )
    const safe = await tool({ url: 'https://example.com/' })
    t.match(await map(id, safe, 'header', 'x-key'), { status: 201 })
    const config = { method: 'GET', url: 'http://example.com:443/' }
    t.match(await ada.put(`/v1/tools/${safe.id}`, { config }), refused)
  })

  t.test('one header takes one key, however it is spelt', async (t) => {
    const it = await tool({})
    const id = await key('sk-0123456789abcdef')
    t.match(await map(id, it, 'header', 'X-Key'), { status: 201, body: { data: { name: 'x-key' } } })
    t.match(await map(id, it, 'header', 'x-KEY'), { status: 409, body: { error: { code: 'place_taken' } } })
    t.match(await map(id, it, 'query', 'Key'), { status: 201 })
    t.match(await map(id, it, 'query', 'key'), { status: 201 }, 'in a query it makes a difference')
  })

  t.test('a tool that keeps to nothing costs its call only', async (t) => {
    await assign(ada, agent, 'act')
    play.act = () => Promise.reject(null)
    t.match(await call({ name: 'act' }), { output: 'act failed', isError: true })
    play.act = async () => undefined as never
    t.match(await call({ name: 'act' }), { output: null, isError: false })
    const { body } = await ada.get(`/v1/tools/calls?agentId=${agent.id}&limit=2`)
    t.match(body.data, [{ status: 'succeeded' }, { status: 'failed' }])
  })

  t.test('an address that is repeated with a key in it is shown without it', async (t) => {
    const it = await tool({})
    await map(await key("p@ss'word!~(1)*"), it, 'query', 'key')
    await assign(ada, agent, it.id)
    const { output } = await call(it)
    t.match(api.asked.at(-1)?.path, /\?key=p%40ss%27word%21%7E%281%29\*$/)
    t.same(output, { path: '/?key=[redacted]', length: 0 })
  })
})
