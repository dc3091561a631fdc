import t from 'tap'
import { join } from 'node:path'
import { PACKS, puppetStage, assign } from './testbed.ts'
import { service, json } from './http/testbed.ts'

t.test('scratch', async (t) => {
  const { booted, ada, play } = await puppetStage(t, { packs: ['toolbox'] })
  const eve = booted.as('eve')
  const api = await service(t, (reply, asked) => json(reply, 200, { url: `http://x${asked.path}`, body: asked.body.length }))
  const say = (...x: unknown[]) => console.error(...x.map((it) => typeof it === 'string' ? it : JSON.stringify(it)))
  const svc = booted.as('svc', { type: 'service' })
  // initiators
  {
    const alice = { 'x-initiator': 'alice' }, bob = { 'x-initiator': 'bob' }
    const agent = await svc.agent()
    await assign(svc, agent, 'act')
    play.act = async () => ({ output: 'S'.repeat(60_000) })
    const called = await svc.post('/v1/agents/tools', { agentId: agent.id, toolName: 'act' }, alice)
    say('alice call', called.status, called.body?.data?.callId ?? called.text)
    const id = called.body.data.callId
    say('bob list', (await svc.get('/v1/tools/calls', bob)).body.data.length, 'bob read', (await svc.get(`/v1/tools/calls/${id}`, bob)).status, (await svc.get(`/v1/tools/calls/${id}/output`, bob)).status)
    say('svc', (await svc.get(`/v1/tools/calls/${id}`)).status, 'alice', (await svc.get(`/v1/tools/calls/${id}`, alice)).status)
  }
  const make = (c: typeof ada, name: string, config: object, parameters: object = { type: 'object', properties: {} }, more = {}) => c.post('/v1/tools', { name, description: 'd', config, parameters, ...more })
  // statuses
  const agent = await ada.agent()
  for (const path of ['/v1/tools/%00', '/v1/tools/%ud800', '/v1/tools/%ED%A0%80', '/v1/tools?kind=%00', '/v1/tools/calls?agentId=%00', '/v1/tools/calls?runId=%00', '/v1/tools/calls?runId=x', '/v1/tools/calls/%00', '/v1/tools/calls/x/output?offset=1e30', '/v1/tool-keys/%00', `/v1/tool-keys/${agent.id}`, `/v1/tools/${agent.id}`,
    '/v1/tool-permissions/check?toolId=%00', '/v1/tool-permissions/check', '/v1/tool-permissions/check-agent-access?agentId=x&toolId=act', `/v1/tool-permissions/check-agent-access?agentId=${agent.id}&toolId=nope`, '/v1/tool-permissions/subject?subjectType=user', '/v1/tool-permissions/tool/act', '/v1/tool-permissions/tool/%F0%9F%98%80', '/v1/tool-permissions/accessible-tools?cursor=x', `/v1/tool-permissions/accessible-tools?cursor=${Buffer.from('static zzz').toString('base64url')}`, `/v1/tool-permissions/accessible-tools?cursor=${Buffer.from('static \0').toString('base64url')}`, `/v1/tools?cursor=${Buffer.from(agent.id).toString('base64url')}`, `/v1/tools/static?cursor=${Buffer.from(agent.id).toString('base64url')}`, '/v1/tools/__proto__', '/v1/tools/constructor', '/v1/tools?x=1', '/v1/tool-keys?limit=0', '/v1/agents/x/tools', '/v1/runtime/agents/x/tools', `/v1/agents/${agent.id}/tools?cursor=${Buffer.from(agent.id).toString('base64url')}`]) {
    const { status, body } = await ada.get(path)
    say('GET', path, status, body?.error?.param ?? '', body?.error?.message ?? '')
  }
  // names
  for (const name of ['__proto__', 'constructor', 'toString', '-']) {
    const r = await make(ada, name, { method: 'GET', url: api.url })
    say(name, r.status, r.body.error ?? '')
    if (r.status === 201) { await assign(ada, agent, name); const c = await ada.post('/v1/agents/tools', { agentId: agent.id, toolName: name }); say('  call', c.status, c.text.slice(0, 200))
      const run = await ada.post('/v1/agents/run', { agentId: (await (async () => { await ada.patch(`/v1/agents/${agent.id}`, { modelProvider: 'local' }); return agent })()).id, messages: [{ role: 'user', content: `/call ${name} {}` }] }); say('  run', run.status, run.text.slice(0, 300)) }
  }
  // args
  for (const args of [null, [], 'x', 5, undefined]) { const c = await ada.post('/v1/agents/tools', { agentId: agent.id, toolName: '-', args }); say('args', args ?? 'undef', c.status, c.text.slice(0, 160)) }
  let deep: unknown = 'x'; for (let i = 0; i < 450; i++) deep = [deep]
  const r1 = await make(ada, 'deep', { method: 'POST', url: api.url, body: deep }); say('deep config', r1.status, r1.body.error ?? '')
  const r2 = await make(ada, 'deepp', { method: 'GET', url: api.url }, { type: 'object', properties: {}, x: deep }); say('deep params', r2.status, r2.body.error ?? '')
  // amplification
  {
    const m = await make(ada, 'amp', { method: 'POST', url: api.url, body: Array(4000).fill('{{x}}') }, { type: 'object', properties: { x: { type: 'string' } } })
    say('amp', m.status, m.body.error ?? '')
    await assign(ada, agent, 'amp')
    const before = process.memoryUsage().rss
    const a = performance.now()
    const c = await ada.post('/v1/agents/tools', { agentId: agent.id, toolName: 'amp', args: { x: 'y'.repeat(30_000) } })
    say('amp call', c.status, c.text.slice(0, 200), Math.round(performance.now() - a), 'ms', Math.round((process.memoryUsage().rss - before) / 1e6), 'MB')
  }
  // pool
  {
    const ids: string[] = []
    for (let i = 0; i < 40; i++) ids.push((await make(ada, `p${i}`, { method: 'GET', url: api.url })).body.data.id)
    const a = performance.now()
    const all = await Promise.all(ids.map((id) => ada.put(`/v1/tools/${id}`, { description: 'other' })))
    say('pool', all.map(({ status }) => status).join(), Math.round(performance.now() - a), 'ms')
    const b = performance.now()
    const del = await Promise.all(ids.map((id) => ada.delete(`/v1/tools/${id}`)))
    say('pool del', del.map(({ status }) => status).join(), Math.round(performance.now() - b), 'ms')
  }
})
