// budget: 6 s, because a real computer starts
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'

const skip = await noComputers()
const { as } = await boot(t, 'computers', 'runs', 'tools')
const ada = as('ada')
const call = (name: string, args: object) => `/call ${name} ${JSON.stringify(args)}`

t.test('agents use their computers by tools, with the policies of these', { skip }, async (t) => {
  const { id } = await ada.agent({ modelProvider: 'local' })
  const of = (path: string) => `/v1/agents/${id}/computer${path}`
  const run = async (content: string, more = {}) =>
    ada.post('/v1/agents/run', { agentId: id, messages: [{ role: 'user', content }], ...more })
  const computerRequest = { enabled: true }

  t.match(await run('Hello', { computerRequest }), {
    status: 409,
    body: { error: { param: '/computerRequest', code: 'computer_off' } }
  })
  await ada.put(of('/config'), { enabled: true, memoryMb: 256, storageMb: 32 })
  const exec = call('computer_exec', { command: 'echo from $((40 + 2)) > n; cat n' })
  t.notMatch((await run(exec)).body.data.content, /from 42/, 'without a request it has no such tool')
  t.match((await run(exec, { computerRequest })).body.data, { status: 'completed', content: /from 42/ })
  t.match((await ada.get(of(''))).body.data, { state: 'awake' })
  t.match((await ada.get(of('/commands'))).body.data, [
    { source: 'tool', status: 'completed', stdout: 'from 42\n' }
  ])
  const write = call('computer_write', { files: [{ path: 'a/b', content: 'written' }] })
  t.match((await run(write, { computerRequest })).body.data.content, /a\/b/)
  t.match(
    (await run(call('computer_read', { path: 'a/b' }), { computerRequest })).body.data.content,
    /written/
  )
  t.match(
    (await run(call('computer_read', { path: '/etc/passwd' }), { computerRequest })).body.data.content,
    /outside of the home/
  )

  await ada.post(`/v1/agents/${id}/tools`, { toolId: 'computer_exec' })
  t.match((await run(exec)).body.data.content, /from 42/, 'one that it was given')
  const asked = await ada.agent({ modelProvider: 'local' })
  await ada.put(`/v1/agents/${asked.id}/computer/config`, { enabled: true, memoryMb: 256, storageMb: 32 })
  await ada.post(`/v1/agents/${asked.id}/tools`, { toolId: 'computer_exec', policy: 'ask' })
  const waits = { agentId: asked.id, messages: [{ role: 'user', content: exec }], computerRequest }
  const reply = await ada.post('/v1/agents/run', waits)
  t.match(reply.body.data, { pending: [{ toolName: 'computer_exec' }] }, 'it is asked for, requested or not')
  t.match((await ada.get(`/v1/agents/${asked.id}/computer/commands`)).body.data, [], 'and nothing has run')
})
