// budget: 8 s, because outputs of 4 MB are redacted
// tier: whole
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { service } from '../../../test/loopback.ts'
import { inShortTurns } from '../../../test/turns.ts'
import { PIECE } from '../redaction/pieces.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { fit } from '../services/outputs.ts'
import { assign, stage } from './testbed.ts'

const SECRET = 'sk-live-0123456789abcdef'
const SIZE = 4_194_304
const limits = { toolOutputCharacters: 50_000, toolOutputKept: SIZE }

const filled = (bit: string) => bit.repeat(Math.ceil(SIZE / bit.length)).slice(0, SIZE)
const listed = (item: unknown) =>
  Array(Math.ceil(SIZE / (JSON.stringify(item).length + 1))).fill(item) as unknown[]
const row = { id: 7, name: 'A "name"\nof two lines', url: 'https://example.com/?a=1&b=%20', isOn: true }

const outputs: Readonly<Record<string, unknown>> = {
  'a text': filled('The quick brown fox jumps. '),
  'a text of escapes': filled('%2525&amp;\\u0025'),
  'a text of control characters': filled('\0'),
  'a text of secrets': filled(`${SECRET} `),
  'a text of secrets in escapes': filled('%73k-live-0123456789abcdef%20'),
  'rows of texts': listed(row),
  'rows of secrets': listed({ [SECRET]: SECRET }),
  'rows of control characters': listed('\u0001\ud800'),
  'many numbers': listed(12_345_678),
  'many empty texts': listed('')
}

t.test('what is long is redacted while others have their turns', async (t) => {
  const { redact } = createRedactor([SECRET])
  for (const [name, output] of Object.entries(outputs)) {
    const redactor = createRedactor([SECRET])
    const begin = () => nextTurn().then(() => fit(output, redactor, limits, true))
    const { size, kept } = await inShortTurns(t, begin, name)
    const whole = redact(output)
    const text = typeof whole === 'string' ? whole : JSON.stringify(whole)
    t.equal(size, text.length, name)
    if (size > limits.toolOutputCharacters) t.ok(kept === text.slice(0, SIZE), `${name}: the same at once`)
    t.notOk(text.includes('0123456789abcdef'), name)
  }
})

t.test('a secret is found wherever a piece ends', async (t) => {
  const { redactInTurns, redact } = createRedactor([SECRET])
  const missed: string[] = []
  const spellings = [SECRET, SECRET.replace('s', '%73'), Buffer.from(SECRET).toString('hex')]
  for (const [index, spelt] of spellings.entries())
    for (let before = PIECE - spelt.length - 2; before < PIECE + 2; before++) {
      const said = `${'x'.repeat(before)}${spelt}${'y'.repeat(PIECE)}`
      const expected = `${'x'.repeat(before)}[redacted]${'y'.repeat(PIECE)}`
      if ((await redactInTurns(said)) !== expected || redact(said) !== expected)
        missed.push(`spelling ${index} at ${before}`)
      const [json] = redact([said])
      if (json !== expected) missed.push(`spelling ${index} at ${before} in JSON`)
    }
  t.same(missed, [])
})

t.test('of JSON names, texts and numbers are redacted each by itself', async (t) => {
  const { redact } = createRedactor(['12345678', '1,2,3,4,5', 'a","b","c', 'x","y"\n%41'])
  t.same(redact([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5])
  t.same(redact(['a', 'b', 'c']), ['a', 'b', 'c'])
  t.same(redact({ n: -912345678, m: 1.5e-7, deep: [[12345678], 'x12345678'] }), {
    n: '[redacted]',
    m: 1.5e-7,
    deep: [['[redacted]'], 'x[redacted]']
  })
  t.same(redact(['say: x","y"\n%41!', 'a","b","c']), ['say: [redacted]!', '[redacted]'])
  t.same(redact({ 'a\u0001': 'b\ud800c\u007f', d: 'd\ud83d\ude00' }), { a: 'b\ufffdc', d: 'd\ud83d\ude00' })
  const circular: { it?: object } = {}
  circular.it = circular
  t.equal(redact(circular), null, 'what has no JSON says nothing')
})

t.test('of what is said bit by bit, a long bit is cut', async (t) => {
  const said: string[] = []
  const { stream } = createRedactor([SECRET])
  const { say, end } = stream((text) => said.push(text))
  say(`${'x'.repeat(49_990)}${SECRET}${'y'.repeat(SIZE)}`)
  say('next')
  end()
  t.equal(said.join(''), `${'x'.repeat(49_990)}[redacted]…next`)
})

t.test('a service that answers a lot', async (t) => {
  let reply = { status: 200, body: '' }
  const api = await service(t, (response) =>
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  )
  const { ada } = await stage(t)
  const agent = await ada.agent()
  const config = { method: 'GET', url: api.url }
  const { id: toolId } = (await ada.post('/v1/tools', { name: 'rows', description: 'x', config })).body.data
  const key = { name: 'x', value: SECRET, allowedHosts: [api.host] }
  const keyId = (await ada.post('/v1/tool-keys', key)).body.data.id
  await ada.post('/v1/tool-keys/map', { keyId, toolId, in: 'header', name: 'x-key' })
  await assign(ada, agent, toolId)
  const call = () => ada.post('/v1/agents/tools', { agentId: agent.id, toolName: 'rows' })
  reply = { status: 200, body: '[]' }
  t.match(await call(), { status: 200 })
  const body = JSON.stringify([...listed(row).slice(0, -10), SECRET])
  for (const status of [200, 400]) {
    reply = { status, body }
    const { callId, output, isError } = (await inShortTurns(t, call, `${status}`)).body.data
    t.equal(isError, status === 400)
    t.match(JSON.stringify(output), /A .*name/)
    if (status === 400) continue
    const kept = await ada.get(`/v1/tools/calls/${callId}/output?offset=${body.length - 60}`)
    t.match(kept.body.data.text, /"\[redacted\]"\]$/)
  }
})
