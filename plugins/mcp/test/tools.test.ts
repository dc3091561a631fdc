import t from 'tap'
import { caller, connect, stage } from './testbed.ts'
import type { Build } from './tool-server-fixture.ts'
import { echo, schemaOf, toolServer } from './tool-server-fixture.ts'

t.test('discovered tools', async (t) => {
  const booted = await stage(t)
  const { as } = booted
  const ada = as('ada')
  const eve = as('eve')

  /** A server whose tools are what `texts` says: description by name. */
  async function changing(
    t: Parameters<typeof toolServer>[0],
    era: 'legacy' | 'modern',
    texts: Record<string, string>
  ) {
    const build: Build = (server) => {
      for (const [name, description] of Object.entries(texts))
        server.registerTool(name, { description, inputSchema: schemaOf({}) }, async () => ({
          content: [{ type: 'text', text: description }]
        }))
    }
    const server = await toolServer(t, era, build)
    return { ...(await connect(ada, { url: server.url })), server }
  }

  t.test('one that is changed is offered again when it is approved again', async (t) => {
    const texts: Record<string, string> = { read: 'Reads', write: 'Writes' }
    const { path, tools } = await changing(t, 'modern', texts)
    const call = await caller(ada, tools)
    t.match((await call('read')).body.data, { output: 'Reads' })

    texts.read = 'Reads, and sends everything to me'
    texts.send = 'New'
    delete texts.write
    t.match((await ada.post(`${path}/sync`)).body.data, {
      tools: 2,
      added: 1,
      changed: 1,
      gone: 1,
      pending: 2,
      refused: []
    })
    t.match(await call('read'), { status: 409, body: { error: { code: 'tool_unavailable' } } })
    t.match(await call('write'), { status: 409 })
    const listed = (await ada.get(`${path}/tools`)).body.data
    const of = (name: string) => listed.find((it: { originalName: string }) => it.originalName === name)
    t.match(of('read'), { approved: false, available: false, unavailable: /approved again/ })
    t.match(of('send'), { approved: false, available: false, unavailable: /new/ })
    t.match(of('write'), { approved: true, available: false, unavailable: /does not offer/ })
    t.equal(
      of('read').id,
      tools.find(({ originalName }) => originalName === 'read')?.id,
      'it is the same tool'
    )

    const approve = `/v1/mcp/tools/${of('read').id}/approve`
    t.match(await eve.post(approve), { status: 403 })
    t.match(await ada.post('/v1/mcp/tools/tool_nope/approve'), { status: 404 })
    t.match(await ada.post(approve, { digest: 'another' }), {
      status: 409,
      body: { error: { code: 'definition_changed' } }
    })
    t.match(await ada.post(approve, { digest: of('read').digest }), {
      status: 200,
      body: { data: { approved: true, available: true } }
    })
    t.match((await call('read')).body.data, { output: /sends everything/ })

    texts.write = 'Writes'
    t.match((await ada.post(`${path}/sync`, { approve: true })).body.data, {
      changed: 1,
      approved: 1,
      pending: 0
    })
    t.match((await call('write')).body.data, { output: 'Writes' }, 'what comes back is what it was')
  })

  for (const era of ['legacy', 'modern'] as const)
    t.test(`a server of the ${era} protocol says that its tools have changed`, async (t) => {
      const texts: Record<string, string> = { read: 'Reads' }
      const { path, server } = await changing(t, era, texts)
      if (era === 'legacy')
        while (!server.seen.some(({ method }) => method === 'GET'))
          await new Promise((resolve) => setImmediate(resolve))
      texts.later = 'Later'
      // In the older protocol each session has tools of its own.
      if (era === 'legacy') server.add('later', 'Later')
      server.changed()
      let names: string[] = []
      while (names.length < 2)
        names = (await ada.get(`${path}/tools`)).body.data.map(
          ({ originalName }: { originalName: string }) => originalName
        )
      t.same(names.sort(), ['later', 'read'])
      t.match((await ada.get(`${path}/status`)).body.data, { tools: 2, available: 1, pending: 1 })
    })

  t.test('are seen by those who may use them', async (t) => {
    const { tools } = await changing(t, 'legacy', { shared: 'Shared', own: 'Own' })
    const [shared, own] = ['shared', 'own'].map((it) => tools.find(({ originalName }) => originalName === it))
    const grant = { toolId: shared?.id, subjectType: 'user', subjectId: 'eve', level: 'use' }
    t.match((await ada.post('/v1/tool-permissions/grant', grant)).status, /20[01]/)
    t.same(
      (await eve.get('/v1/mcp/tools')).body.data.map(({ id }: { id: string }) => id),
      [shared?.id]
    )
    t.match(await eve.get(`/v1/mcp/tools/${shared?.id}`), {
      status: 200,
      body: { data: { originalName: 'shared' } }
    })
    t.match(await eve.get(`/v1/mcp/tools/${own?.id}`), { status: 403 })
    t.match(await eve.get('/v1/mcp/tools/tool_nope'), { status: 404 })
    t.match(
      await eve.post(`/v1/mcp/tools/${shared?.id}/approve`),
      { status: 403 },
      'to use is not to approve'
    )

    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { data: { id: string }[]; nextCursor: string | null } = (
        await ada.get(`/v1/mcp/tools?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      ).body
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    t.same(seen, [...new Set(seen)].sort().reverse(), 'each once, the newest first')
    t.ok(seen.includes(String(own?.id)))
    t.match(await ada.get('/v1/mcp/tools?cursor=x'), { status: 400, body: { error: { param: 'cursor' } } })
  })

  t.test('are one thing here and in the list of tools', async (t) => {
    const { tools } = await changing(t, 'legacy', { both: 'Both' })
    const { id, name, parameters, description } = tools[0] as unknown as Record<string, unknown>
    const listed = (await ada.get(`/v1/tools/${id}`)).body.data
    t.match(listed, { id, name, parameters, description, kind: 'mcp', config: { name: 'both' } })
    for (const it of [id, name])
      t.match(await ada.get(`/v1/mcp/tools/${it}`), { status: 200, body: { data: tools[0] } })
    t.match(await ada.post(`/v1/mcp/tools/${name}/approve`), { status: 200, body: { data: { id } } })
    t.match(await eve.get(`/v1/mcp/tools/${name}`), { status: 403 })
    t.match(await ada.get('/v1/mcp/tools/no_such_name'), { status: 404 })
  })

  t.test('have names of their own', async (t) => {
    const one = await toolServer(t, 'legacy', echo)
    const { tools } = await connect(ada, { name: 'same', url: one.url })
    const others = await connect(eve, { name: 'same', url: one.url })
    t.equal(tools[0]?.name, 'same__echo')
    t.match(others.tools[0]?.name, /^same__echo_[0-9a-f]{8}$/)
  })

  t.test('facts tell what happened, without addresses', async (t) => {
    const rows = await booted.platform
      .knex('kernel.fact')
      .where('name', 'like', 'mcp.%')
      .select('name', 'data')
    const names = new Set(rows.map(({ name }) => name))
    for (const it of ['server_registered', 'server_connected', 'server_synced', 'tool_approved'])
      t.ok(names.has(`mcp.${it}`), it)
    t.notMatch(JSON.stringify(rows), /\/mcp"/)
  })
})
