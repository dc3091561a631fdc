// budget: 20 s, because a platform with all packs keeps secrets everywhere
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { at, contentOf, exported } from './testbed.ts'

const envOf = (network: object) => ({
  WALLET_NETWORKS: JSON.stringify([network]),
  OUTGOING_ALLOW: '127.0.0.1/32'
})

// Long and opaque, as secrets are, and none is a part of another.
const planted = Array.from(
  { length: 20 },
  (_, index) => `planted${String(index).padStart(2, '0')}x7Kq9Zw4Lm2Vb6Nc8Rt1`
)
let next = 0
const secret = () => planted[next++] as string

t.test('no secret and nobody’s id is in an archive', async (t) => {
  const chain = await startChain(t)
  const a = await boot(t, { env: envOf(chain.network) })
  const ada = at(a.url, a.as('person-ada-q7'))
  const eve = a.as('person-eve-q7')
  const { id: agentId } = await ada.agent({ name: 'Grace', modelProvider: 'local' })
  const given: string[] = []
  const made = async (method: 'post' | 'put', path: string, body: object) => {
    const reply = await ada[method](`/v1/${path}`, body)
    t.ok(reply.status < 300, `${path}: ${reply.status} ${reply.status < 300 ? '' : reply.text}`)
    // What is shown once, such as the secret of a webhook.
    for (const [, value] of reply.text.matchAll(/"(?:secret|token|key|code)":"([^"]{12,})"/g))
      given.push(value as string)
    return reply.body?.data
  }

  const tool = await made('post', 'tools', {
    name: 'ledger',
    description: 'Reads the ledger',
    config: {
      method: 'POST',
      url: `http://127.0.0.1:3999/l?access_token=${secret()}`,
      headers: { 'x-api-key': secret(), 'x-plain': secret() },
      query: { sig: secret() },
      body: { nested: [{ password: secret() }] }
    }
  })
  const key = await made('post', 'tool-keys', {
    name: 'bank',
    value: secret(),
    allowedHosts: ['127.0.0.1:3999']
  })
  await made('post', 'tool-keys/map', { keyId: key.id, toolId: tool.id, in: 'header', name: 'x-bank' })
  await made('post', `agents/${agentId}/tools`, { toolId: tool.id })
  const kept = await a.admin.put('/v1/models/providers/openai', { apiKey: secret() })
  t.equal(kept.status, 200)
  await made('post', 'webhooks', { url: 'http://127.0.0.1:3999/hook', types: ['runs.completed'] })
  await made('post', `agents/${agentId}/runtime/channels/webhook/connect`, {
    url: 'http://127.0.0.1:3999/in'
  })
  await made('post', 'auth/api-keys', { name: 'mine' })

  const workflow = await made('post', 'workflows', {
    name: 'Greeting',
    definition: { steps: [{ id: 'greet', type: 'agent', config: { agentId, prompt: 'Greet.' } }] }
  })
  await made('post', `workflows/${workflow.id}/webhook-token`, {})
  const space = await made('post', 'knowledge', { name: 'Handbook' })
  await made('post', `knowledge/${space.id}/grants`, {
    subjectType: 'agent',
    subjectId: agentId,
    level: 'write'
  })
  await made('post', `knowledge/${space.id}/grants`, {
    subjectType: 'user',
    subjectId: eve.id,
    level: 'read'
  })
  await made('post', `knowledge/${space.id}/documents`, { title: 'Rules', content: 'Be kind.' })
  await made('post', 'memory', { agentId, content: 'Tea is at four.' })
  await made('post', 'agents/run', { agentId, messages: [{ role: 'user', content: '/say Hello' }] })
  await made('post', 'tasks', { agentId, title: 'Report' })
  await made('post', 'wallets', { agentId })
  await a.settled()

  const { record, bytes } = await exported(ada, agentId, ['sessions', 'library'])
  t.match(record, { status: 'completed' })
  const content = await contentOf(t.testdir(), bytes)
  const everything = content.text + bytes.toString('latin1') + content.paths.join() + JSON.stringify(record)
  t.match(content.text, /Tea is at four/, 'it has the rest')

  const secrets = [...planted.slice(0, next), ...given]
  t.ok(given.length >= 3, `${given.length} were shown once`)
  for (const it of secrets)
    for (const form of [
      it,
      Buffer.from(it).toString('base64').replace(/=+$/, ''),
      Buffer.from(it).toString('hex')
    ])
      t.notOk(everything.includes(form), it.slice(0, 12))
  t.notOk(/person-\w+-q7/.test(content.text), 'no id of a person')

  // Whatever any pack has sealed or hashed, wherever.
  const { rows } = await a.platform.knex.raw(
    `select table_schema as schema, table_name as name, column_name as col from information_schema.columns
     where column_name ~* '(sealed|secret|token|password|hash|credential|wrapped|privatekey)'
       and table_schema !~ '^(pg_|information_schema)' and data_type in ('text', 'bytea', 'jsonb')`
  )
  let looked = 0
  for (const { schema, name, col } of rows) {
    // Digests of what is in the archive.
    if (['knowledge', 'library'].includes(schema) && col === 'hash') continue
    const values: unknown[] = await a.platform
      .knex(`${schema}.${name}`)
      .whereNotNull(col)
      .limit(1_000)
      .pluck(col)
    for (const value of values) {
      const text = Buffer.isBuffer(value)
        ? value.toString('hex')
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
      if (text.length < 16) continue
      looked++
      if (everything.includes(text)) t.fail(`${schema}.${name}.${col} is in the archive`)
    }
  }
  t.ok(looked >= 5, `${looked} values that were sealed or hashed`)

  const needs = record.needs as { pack: string; name: string }[]
  t.same(
    [...new Set(needs.map(({ pack }) => pack))].sort(),
    ['channels', 'tools'],
    'what has to be given again is told'
  )
  t.equal(needs.filter(({ pack }) => pack === 'tools').length, 6)
})
