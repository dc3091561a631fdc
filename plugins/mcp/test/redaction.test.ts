import type { Test } from 'tap'
import t from 'tap'
import { guarded } from './oauth-fixture.ts'
import type { Answer } from './rubbish-fixture.ts'
import { result, rough, stream, tool } from './rubbish-fixture.ts'
import { caller, connect, direct, register, stage } from './testbed.ts'
import { httpServer, json } from './tool-server-fixture.ts'

const value = 'sk-live-0123456789-abcdefghij'

/** Says what it was shown wherever it may say something, also as others would write it. */
const repeats = (fails: () => boolean): Record<string, Answer> => {
  const says =
    (make: (said: string) => object): Answer =>
    (reply, message, { headers }) => {
      const shown = String(headers.authorization)
      result(
        reply,
        message,
        make(`${shown} ${Buffer.from(shown).toString('base64')} ${encodeURIComponent(shown)}`)
      )
    }
  const refuses: Answer = (reply, { id }, { headers }) =>
    json(reply, 200, { jsonrpc: '2.0', id, error: { code: -32_000, message: headers.authorization } })
  const lists = says((said) => ({
    tools: [
      ...['text', 'shape', 'error', 'logs', 'asks'].map((name) =>
        tool(name, { description: said, title: said })
      ),
      tool('odd', { description: said, inputSchema: { type: 'object', description: said } })
    ]
  }))
  const calls: Record<string, Answer> = {
    text: says((said) => ({ content: [{ type: 'text', text: said }] })),
    shape: says((said) => ({ content: [], structuredContent: { [said]: [said] } })),
    error: refuses,
    logs: (reply, { id }, { headers: { authorization: data } }) => {
      const say = (message: object) =>
        reply.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      stream(reply)
      say({ method: 'notifications/message', params: { level: 'info', data } })
      say({ id: 1, method: 'elicitation/create', params: { message: data, requestedSchema } })
      say({ id, result: { content: [] } })
      reply.end()
    }
  }
  return {
    initialize: says((said) => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: said, version: said }
    })),
    'tools/list': (...order) => (fails() ? refuses : lists)(...order),
    'resources/list': says((said) => ({ resources: [{ uri: 'a:b', name: said, description: said }] })),
    'resources/templates/list': says((said) => ({
      resourceTemplates: [{ uriTemplate: `a:${said}`, name: 'a' }]
    })),
    'resources/read': says((said) => ({ contents: [{ uri: 'a:b', text: said }] })),
    'prompts/list': says((said) => ({ prompts: [{ name: 'ask', description: said }] })),
    'prompts/get': says((said) => ({
      description: said,
      messages: [{ role: 'user', content: { type: 'text', text: said } }]
    })),
    'tools/call': (reply, message, seen) => calls[String(message.params?.name)]?.(reply, message, seen)
  }
}
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }

t.test('what a server repeats of what it was shown', async (t) => {
  const log: string[] = []
  const booted = await stage(t, { log: (line) => void log.push(JSON.stringify(line)) })
  const ada = booted.as('ada')
  const { knex } = booted.platform

  /** Everything that is stored, but for what is sealed. */
  async function stored(): Promise<string> {
    const tables = await knex('information_schema.tables')
      .whereIn('table_schema', ['kernel', 'tools', 'mcp', 'runs', 'sessions', 'agents', 'jobs'])
      .where({ table_type: 'BASE TABLE' })
      .select('table_schema', 'table_name')
    const texts = await Promise.all(
      tables.map(async ({ table_schema, table_name }) => {
        const rows = await knex(`${table_schema}.${table_name} as t`).select(knex.raw('t::text as row'))
        return rows.map(({ row }) => `${table_name}: ${row}`).join('\n')
      })
    )
    return texts.join('\n')
  }

  async function asked(t: Test, path: string, secrets: readonly string[]) {
    const spellings = secrets.flatMap((it) => [it, Buffer.from(`Bearer ${it}`).toString('base64')])
    const hidden = (what: string, text: string) =>
      t.same(
        spellings.filter((it) => text.includes(it)),
        [],
        what
      )
    const get = async (what: string) => (await ada.get(`${path}${what}`)).text
    const tools = (await ada.get(`${path}/tools`)).body.data
    t.equal(tools.length, 6)
    for (const what of ['', '/status', '/tools', '/resources', '/prompts', '/resources/read?uri=a:b'])
      hidden(what, await get(what))
    t.match(await get('/tools'), /redacted/)
    t.match(await get('/resources/read?uri=a:b'), /redacted/)
    const prompt = await ada.post(`${path}/prompts/ask`)
    t.match(prompt, { status: 200, text: /redacted/ })
    hidden('a prompt', prompt.text)
    hidden('tools', (await ada.get('/v1/tools?limit=100')).text)
    const call = await caller(ada, tools)
    for (const name of ['text', 'shape', 'error']) {
      const { status, text } = await call(name)
      t.equal(status, 200)
      t.match(text, /redacted/, name)
      hidden(name, text)
    }
    const said: string[] = []
    await direct(booted, tools)(
      'logs',
      {},
      {
        progress: (output) => void said.push(output),
        ask: async ({ message }) => {
          said.push(message)
          return { action: 'decline' }
        }
      }
    )
    t.match(said, [/redacted/, /redacted/])
    hidden('what a run is told', said.join())
    hidden('the database', await stored())
    hidden('the log', log.join())
  }

  let fails = false
  t.test('a key', async (t) => {
    const answer = rough(repeats(() => fails))
    const { url, host } = await httpServer(t, answer)
    const { body } = await ada.post('/v1/tool-keys', { name: 'k', value, allowedHosts: [host] })
    const auth = { type: 'key', keyId: body.data.id }
    const { path } = await connect(ada, { url, auth })
    await asked(t, path, [value])

    fails = true
    await ada.post(`${path}/disconnect`)
    const failed = await ada.post(`${path}/connect`)
    t.match(failed, { status: 502, text: /redacted/ })
    t.match((await ada.get(path)).body.data, { status: 'error', statusReason: /redacted/ })
    t.notMatch(failed.text + (await ada.get(path)).text + (await stored()), value)
    fails = false
  })

  t.test('a token', async (t) => {
    const server = await guarded(t, { serve: rough(repeats(() => false)) })
    const { id } = await register(ada, { url: server.url, auth: { type: 'oauth' } })
    const path = `/v1/mcp/servers/${id}`
    const { body } = await ada.post(`${path}/connect`)
    const { state, code } = server.agree(body.data.authorizationUrl)
    t.match(await booted.anyone.get(`/v1/mcp/oauth/callback?${new URLSearchParams({ state, code })}`), {
      status: 200
    })
    await asked(t, path, server.given())
  })

  t.test('what its address has in it', async (t) => {
    const answer = rough({
      'tools/list': (reply, message, { path }) =>
        result(reply, message, { tools: [tool('go', { description: path })] })
    })
    const { url } = await httpServer(t, answer)
    const { tools } = await connect(ada, { url: `${url}/mcp?token=${value}` })
    t.notMatch(JSON.stringify(tools), value)
    t.match(JSON.stringify(tools), /redacted/)
  })
})
