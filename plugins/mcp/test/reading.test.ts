import { ResourceTemplate } from '@modelcontextprotocol/server'
import t from 'tap'
import { connect, stage } from './testbed.ts'
import type { Build } from './tool-server-fixture.ts'
import { schemaOf, toolServer } from './tool-server-fixture.ts'

const library: Build = (server) => {
  const blob = Buffer.from([1, 2, 3]).toString('base64')
  server.registerResource(
    'readme',
    'file:///readme.md',
    { mimeType: 'text/markdown', description: 'Read me' },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text: '# Hello' }]
    })
  )
  server.registerResource('bytes', 'file:///bytes', {}, async (uri) => ({
    contents: [{ uri: uri.href, blob }]
  }))
  server.registerResource(
    'user',
    new ResourceTemplate('users://{name}', { list: undefined }),
    { description: 'A person' },
    async (uri, { name }) => ({ contents: [{ uri: uri.href, text: `I am ${name}` }] })
  )
  server.registerPrompt(
    'greet',
    {
      title: 'Greeting',
      description: 'Greets',
      argsSchema: schemaOf({ name: { type: 'string' } }, ['name'])
    },
    async ({ name }: Record<string, unknown>) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }]
    })
  )
}

t.test('resources and prompts', async (t) => {
  const booted = await stage(t)
  const ada = booted.as('ada')

  for (const era of ['legacy', 'modern'] as const)
    t.test(`of the ${era} protocol`, async (t) => {
      const { url } = await toolServer(t, era, library)
      const { path } = await connect(ada, { url })
      const resources = (await ada.get(`${path}/resources`)).body.data
      t.same(resources.map(({ type, uri }: { type: string; uri: string }) => `${type} ${uri}`).sort(), [
        'resource file:///bytes',
        'resource file:///readme.md',
        'template users://{name}'
      ])
      t.match(
        resources.find(({ name }: { name: string }) => name === 'readme'),
        { mimeType: 'text/markdown', description: 'Read me', size: null }
      )
      const read = (uri: string) => ada.get(`${path}/resources/read?uri=${encodeURIComponent(uri)}`)
      t.match(await read('file:///readme.md'), {
        status: 200,
        body: {
          data: {
            contents: [{ uri: 'file:///readme.md', mimeType: 'text/markdown', text: '# Hello', blob: null }]
          }
        }
      })
      t.match((await read('file:///bytes')).body.data.contents, [{ text: null, blob: 'AQID' }])
      t.match((await read('users://ada')).body.data.contents, [{ text: 'I am ada' }])
      t.match(await read('file:///nothing'), { status: 404, body: { error: { param: 'uri' } } })
      t.match(await ada.get(`${path}/resources/read`), { status: 400, body: { error: { param: 'uri' } } })

      t.match((await ada.get(`${path}/prompts`)).body.data, [
        {
          name: 'greet',
          title: 'Greeting',
          description: 'Greets',
          arguments: [{ name: 'name', required: true }]
        }
      ])
      t.match(await ada.post(`${path}/prompts/greet`, { arguments: { name: 'Ada' } }), {
        status: 200,
        body: { data: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }] } }
      })
      t.match(await ada.post(`${path}/prompts/greet`), {
        status: 400,
        body: { error: { param: '/arguments' } }
      })
      t.match(await ada.post(`${path}/prompts/greet`, { arguments: { name: 1 } }), {
        status: 400,
        body: { error: { param: '/arguments/name' } }
      })
      const unknown = await ada.post(`${path}/prompts/none`)
      t.match(unknown, { status: 404, body: { error: { message: 'Prompt not found' } } })
      t.notOk('param' in unknown.body.error, 'as of every other id in a path')

      const ids = (await ada.get(`${path}/resources`)).body.data.map(({ id }: { id: string }) => id)
      await ada.post(`${path}/sync`)
      t.same(
        (await ada.get(`${path}/resources`)).body.data.map(({ id }: { id: string }) => id),
        ids,
        'keep their ids'
      )
      const first = (await ada.get(`${path}/resources?limit=2`)).body
      const rest = (await ada.get(`${path}/resources?limit=2&cursor=${first.nextCursor}`)).body
      t.same(
        [...first.data, ...rest.data].map(({ id }: { id: string }) => id),
        ids
      )
      t.equal(rest.nextCursor, null)

      await ada.post(`${path}/disconnect`)
      t.match(await read('file:///readme.md'), { status: 409 })
    })
})
