import t from 'tap'
import { service } from '../../../test/loopback.ts'
import { createRedactor } from '../redaction/redactor.ts'
import type { Invocations } from '../services/invocations.ts'
import { assign, puppetStage } from './testbed.ts'

const SECRET = 'sk-live-"7f3a/9c1e+5b2d'
const CORE = '7f3a/9c1e+5b2d'
const code = (character: string, base: number, length = 0) =>
  character.charCodeAt(0).toString(base).padStart(length, '0')
const each = (text: string, encode: (character: string) => string) => [...text].map(encode).join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** How a service may repeat a secret. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (it) => it,
  'percent, where needed': encodeURIComponent,
  'percent, in lower case': (it) => encodeURIComponent(it).toLowerCase(),
  'percent, everywhere': (it) => each(it, (c) => `%${code(c, 16)}`),
  'percent, twice': (it) => encodeURIComponent(encodeURIComponent(it)),
  JSON: (it) => JSON.stringify(it),
  'JSON in JSON in JSON': (it) => JSON.stringify(JSON.stringify(JSON.stringify(it))),
  '\\u': (it) => each(it, (c) => `\\u${code(c, 16, 4)}`),
  '\\u{}': (it) => each(it, (c) => `\\u{${code(c, 16)}}`),
  '\\x': (it) => each(it, (c) => `\\x${code(c, 16, 2)}`),
  'names of HTML': (it) => each(it, (c) => ({ '"': '&quot;', '/': '&sol;', '+': '&plus;' })[c] ?? c),
  'numbers of HTML': (it) => each(it, (c) => `&#${code(c, 10)};`),
  'hexadecimal numbers of HTML': (it) => each(it, (c) => `&#x${code(c, 16)};`),
  hex: (it) => Buffer.from(it).toString('hex'),
  HEX: (it) => Buffer.from(it).toString('hex').toUpperCase(),
  base64,
  'base64, one before': (it) => base64(`:${it}:`),
  'base64, two before': (it) => base64(`a:${it}`),
  base64url: (it) => Buffer.from(`>>>${it}???`).toString('base64url'),
  'base64 in an address': (it) => encodeURIComponent(base64(`user:${it}`)),
  'base64 in lines': (it) => base64(it).replaceAll(/.{10}/g, '$&\r\n'),
  'with NULs': (it) => each(it, (c) => `${c}\0`),
  'with what is not seen': (it) => each(it, (c) => `${c}\u200b\u001b`)
}

t.test('however a secret is written', async (t) => {
  const { redact } = createRedactor([SECRET])
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    const spelt = spell(SECRET)
    const said = redact(`before ${spelt} after`)
    t.match(said, /^before .*\[redacted\].* after$/s, name)
    t.ok(said.length < 60, `${name}: ${said}`)
    t.equal(redact(`before ${spelt.slice(0, 9)} after`).includes('[redacted]'), false)
    t.match(JSON.stringify(redact({ [spelt]: [{ said: spelt }] })), /\[redacted\].*\[redacted\]/, name)
  }
})

t.test('parts of secrets, several, and what only looks like one', async (t) => {
  const login = `Basic ${base64('ada:pw-0123456789')}`
  const { redact, add } = createRedactor(['Bearer abcdefgh', login, 'abcdefgh-and-more'])
  t.equal(redact('abcdefgh'), '[redacted]')
  t.equal(redact('abcdefgh-and-more'), '[redacted]')
  t.equal(redact('abcdefghabcdefgh'), '[redacted][redacted]')
  t.same(redact({ user: 'ada', password: 'pw-0123456789' }), { user: 'ada', password: '[redacted]' })
  t.same(redact([1, true, null, 'abcdefg', 1012345678901]), [1, true, null, 'abcdefg', 1012345678901])
  add('1012345678901')
  t.same(redact(['a', 1012345678901, 5]), ['a', '[redacted]', 5])
  t.equal(redact('100 % \\ & %zz \\u12 &nothing; \ud800'), '100 % \\ & %zz \\u12 &nothing; \ufffd')
  t.equal(createRedactor().redact('a\0b\x1b[31mc\td\n'), 'ab[31mc\td\n')
  const proto = redact(JSON.parse('{"__proto__":{"a":"abcdefgh"}}'))
  t.equal(JSON.stringify(proto), '{"__proto__":{"a":"[redacted]"}}')
})

t.test('what is said bit by bit', async (t) => {
  const said: string[] = []
  const { stream } = createRedactor(['sk-live-0123456789'])
  const { say, end } = stream((text) => said.push(text))
  for (const bit of 'a sk-live-0123456789 b sk-live') say(bit)
  t.equal(said.join(''), 'a [redacted] b ')
  end()
  t.equal(said.join(''), 'a [redacted] b sk-live')
})

t.test('the time that it takes grows with the text alone', async (t) => {
  const { redact } = createRedactor(Array.from({ length: 20 }, (_, n) => `sk-live-${n}-0123456789abcdef`))
  const timeOf = (text: string) => {
    const times = Array.from({ length: 3 }, () => {
      const begun = process.threadCpuUsage()
      redact(text)
      const { user, system } = process.threadCpuUsage(begun)
      return (user + system) / 1_000
    })
    return Math.max(Math.min(...times), 5)
  }
  for (const bit of ['sk-live-', '%', '%25', '\\', '\\\\', '&', '&amp;', '\n\t', '\u200b', '&#x', '\\u{'])
    t.ok(timeOf(bit.repeat(160_000)) < 40 * timeOf(bit.repeat(20_000)), JSON.stringify(bit))
})

t.test('everything that a tool says', async (t) => {
  const { booted, ada, play } = await puppetStage(t)
  const agent = await ada.agent()
  await assign(ada, agent, 'act')
  await assign(ada, agent, 'ask')
  const nothingOf = (said: unknown, what: string) => {
    const text = JSON.stringify(said)
    t.notOk(text.includes(CORE), what)
    t.ok(text.includes('[redacted]'), what)
  }

  const invocations = booted.platform.server.current().packs.get('tools')?.deps.invocations as Invocations
  const said: unknown[] = []
  const invoke = (toolName: string) =>
    invocations.invoke({
      by: { id: 'ada', owner: 'ada', type: 'user', project: 'default' } as never,
      agentId: agent.id,
      toolName,
      args: {},
      progress: (output) => said.push(output),
      ask: async (question) => {
        said.push(question)
        return { action: 'cancel' }
      }
    })
  play.act = async (call) => {
    call.secret(SECRET)
    call.progress(SECRET.slice(0, 10))
    call.progress(`${SECRET.slice(10)}!`)
    await call.ask({ message: SECRET, schema: { title: SECRET } })
    return { output: { [SECRET]: base64(SECRET) } }
  }
  nothingOf((await invoke('act')).output, 'its output')
  t.equal(said.slice(0, -1).join(''), '[redacted]!')
  nothingOf(said.at(-1), 'its question')
  play.act = async (call) => {
    call.secret(SECRET)
    throw Object.assign(new Error(`no: ${SECRET}`), { kind: 'upstream' })
  }
  nothingOf((await invoke('act')).output, 'its error')
  play.act = async (call) => {
    call.secret(SECRET)
    return { output: 'x'.repeat(60_000) + SECRET, isError: true }
  }
  const { callId } = await invoke('act')
  nothingOf((await ada.get(`/v1/tools/calls/${callId}/output?offset=59990`)).body, 'what is kept')

  let reply: { type?: string; body: Buffer | string; status?: number }
  const api = await service(t, (response) =>
    response.writeHead(reply.status ?? 200, { 'content-type': reply.type }).end(reply.body)
  )
  const config = { method: 'GET', url: api.url }
  const tool = (await ada.post('/v1/tools', { name: 'http', description: 'x', config, idempotent: true }))
    .body.data
  const key = { name: 'x', value: SECRET, allowedHosts: [api.host] }
  const keyId = (await ada.post('/v1/tool-keys', key)).body.data.id
  await ada.post('/v1/tool-keys/map', { keyId, toolId: tool.id, in: 'header', name: 'x-key' })
  await assign(ada, agent, tool.id)
  const wide = (mark: string) => Buffer.from(`${mark}your key is ${SECRET}`, 'utf16le')
  for (const [what, it] of Object.entries({
    JSON: { type: 'application/json', body: JSON.stringify({ [SECRET]: [SECRET] }) },
    'UTF-16': { type: 'text/plain', body: wide('') },
    'UTF-16 with a mark': { type: 'text/plain', body: wide('\ufeff') },
    'UTF-16 of the other order': { type: 'text/plain', body: wide('\ufeff').swap16() },
    'a type': { type: `${'x'.repeat(190)}/${SECRET}`, body: 'x' },
    'an error that is cut': { type: 'text/plain', status: 400, body: 'x'.repeat(1_990) + SECRET },
    'a service that is away': { type: 'text/plain', status: 503, body: 'x'.repeat(1_990) + SECRET }
  })) {
    reply = it
    const { output } = await invoke('http')
    nothingOf(output, what)
    t.notOk(JSON.stringify(output).includes(SECRET.slice(0, 7)), `${what}: not a half either`)
  }

  const { knex } = booted.platform
  const rows = await knex.raw(
    'select json_agg(c)::text as calls, (select json_agg(f)::text from kernel.fact f) as facts from tools.call c'
  )
  t.notOk(JSON.stringify(rows.rows).includes(CORE))
})
