import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import t from 'tap'
import { serializerCompiler, validatorCompiler } from '../../kernel/http/validation.ts'
import { hear, lantern, lastChange, stage, statusOf, until, workshop } from './stage.ts'

interface Held {
  readonly version: string
  go(): void
}

/** A version with a route that answers when it is told to, and a life that is told of. */
const slow = (version: string) =>
  lantern(
    version,
    `start: async () => channel('lantern.life').publish('start ${version}'),
     stop: async () => channel('lantern.life').publish('stop ${version}'),
     resume: async () => channel('lantern.life').publish('resume ${version}'),`,
    `import { channel } from 'node:diagnostics_channel'
     let asked = 0
     function more(app) {
       app.get('/lantern/count', async () => ({ data: ++asked }))
       app.get('/lantern/slow', async () => {
         await new Promise((go) => channel('lantern.held').publish({ version: '${version}', go }))
         return { data: '${version}' }
       })
     }`
  )

t.test('the old version ends its requests while the new one has begun, and then stops', async (t) => {
  const held = hear<Held>(t, 'lantern.held')
  const life = hear<string>(t, 'lantern.life')
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': slow('first') })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })
  const ada = as('ada')
  const old = ada.get('/v1/lantern/slow')
  const first = await held.next()

  await write('lantern', { 'pack.ts': slow('second') })
  t.match(await admin.post('/v1/packs/lantern/reload'), { status: 200 })
  t.match(await ada.get('/v1/lantern'), { body: { data: 'second' } })
  const young = ada.get('/v1/lantern/slow')
  const second = await held.next()
  t.same([first.version, second.version], ['first', 'second'])
  t.same(life.told, ['start first', 'resume first', 'start second', 'resume second'])

  first.go()
  t.match(await old, { status: 200, body: { data: 'first' } })
  t.equal(
    await until(
      async () => life.told.at(-1),
      (last) => last !== 'resume second'
    ),
    'stop first'
  )
  second.go()
  t.match(await young, { status: 200, body: { data: 'second' } })
})

t.test(
  'enabling, disabling, upgrading and configuring all build a generation beside the running one',
  async (t) => {
    const held = hear<Held>(t, 'lantern.held')
    const { folder, write } = await workshop(t)
    await write('lantern', { 'pack.ts': slow('first') })
    await write('lamp', {
      'pack.ts': `import { definePack } from 'agent-platform'
      import { Type } from 'typebox'
      export default definePack({ name: 'lamp', area: 'Test', settings: Type.Object({ watts: Type.Integer({ default: 5 }) }) })`
    })
    const { admin, as, platform } = await stage(t, ['lantern'], { folders: [folder] })
    const under = as('ada').get('/v1/lantern/slow')
    const { go } = await held.next()
    const changes: [() => Promise<unknown>, string][] = [
      [() => admin.put('/v1/packs/lamp', { enabled: true }), 'enabled'],
      [() => admin.put('/v1/packs/lamp', { settings: { watts: 7 } }), 'configured'],
      [() => admin.post('/v1/packs/lamp/reload'), 'reloaded'],
      [() => admin.put('/v1/packs/lamp', { enabled: false }), 'disabled']
    ]
    for (const [change, action] of changes) {
      const { generation } = platform.packs.readings()
      t.match(await change(), { status: 200 }, action)
      t.equal(platform.packs.readings().generation, generation + 1)
      t.match(await lastChange(admin, 'lamp'), { action, outcome: 'applied' })
    }
    go()
    t.match(await under, { status: 200, body: { data: 'first' } }, 'the request outlived four generations')
  }
)

t.test('nothing is kept from one generation to the next', async (t) => {
  const { folder, write } = await workshop(t)
  const counting = (version: string) =>
    lantern(
      version,
      'services: { count: () => ({ asked: 0 }) },',
      `function more(app, { count }) { app.get('/lantern/count', async () => ({ data: ++count.asked })) }`
    )
  await write('lantern', { 'pack.ts': counting('first') })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })
  const count = async () => (await as('ada').get('/v1/lantern/count')).body.data
  t.same([await count(), await count()], [1, 2])
  await admin.post('/v1/packs/lantern/reload')
  t.equal(await count(), 1, 'services are made anew, also of the same files')
})

t.test('a connection that is kept alive reaches the new generation', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first') })
  const { admin, as, url } = await stage(t, ['lantern'], { folders: [folder] })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const headers = { authorization: `Bearer ${await as('ada').key()}` }
  async function ask() {
    const [response] = (await once(request(`${url}/v1/lantern`, { agent, headers }).end(), 'response')) as [
      IncomingMessage
    ]
    const { localPort } = response.socket
    let text = ''
    for await (const chunk of response) text += chunk
    return { text, localPort }
  }
  const before = await ask()
  await write('lantern', { 'pack.ts': lantern('second') })
  await admin.post('/v1/packs/lantern/reload')
  const after = await ask()
  t.equal(after.localPort, before.localPort, 'the same connection')
  t.same([JSON.parse(before.text).data, JSON.parse(after.text).data], ['first', 'second'])
})

t.test('a pack that throws while it stops or resumes hurts nobody else', async (t) => {
  const life = hear<string>(t, 'lantern.life')
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': slow('first') })
  await write('grim', {
    'pack.ts': `import { definePack } from 'agent-platform'
      const fall = () => { throw new Error('grim') }
      export default definePack({ name: 'grim', area: 'Test', resume: fall, stop: fall })`
  })
  const { admin, as } = await stage(t, ['grim', 'lantern'], { folders: [folder] })
  t.equal(
    await until(
      async () => life.told.at(-1),
      (last) => last !== 'start first'
    ),
    'resume first'
  )
  t.match(await admin.put('/v1/packs/lantern', { enabled: false }), { status: 200 })
  t.equal(
    await until(
      async () => life.told.at(-1),
      (last) => last !== 'resume first'
    ),
    'stop first'
  )
  t.match(await as('ada').get('/v1/auth/me'), { status: 200 })
  t.match(await statusOf(admin, 'grim'), { status: 'running' })
})

t.test('validators and serialisers are compiled once a schema and http part', async (t) => {
  const schema = { type: 'object', properties: { size: { type: 'integer' } } }
  const validator = (httpPart: 'body' | 'querystring', of: object = schema) =>
    validatorCompiler({ schema: of, httpPart, method: 'GET', url: '/' } as never)
  const serializer = (of: object = schema) => serializerCompiler({ schema: of } as never)
  t.equal(validator('body'), validator('body'))
  t.not(validator('body'), validator('querystring'), 'queries are coerced, bodies are not')
  t.not(validator('body'), validator('body', { ...schema }), 'the key is the schema itself, not its text')
  t.equal(serializer(), serializer())
  t.not(serializer(), serializer({ ...schema }))
})
