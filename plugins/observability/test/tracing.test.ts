// budget: 5 s, because OpenTelemetry's exporter is loaded
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Any } from './testbed.ts'
import { local } from './testbed.ts'

interface Heard {
  readonly path: string
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}
const heard: Heard[] = []
let isBusy = true
/** Tools at `/tool`, a collector at `/v1/traces`, which is busy at first. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { url: path = '', headers } = request
    heard.push({ path, headers, body: Buffer.concat(chunks).toString() })
    const status = path === '/v1/traces' && isBusy ? 400 : 200
    if (path === '/v1/traces') isBusy = false
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => server.close())
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const env = {
  OUTGOING_ALLOW: '127.0.0.1',
  OBSERVABILITY_OTLP_URL: `${address}/v1/traces`,
  OBSERVABILITY_OTLP_HEADERS: 'x-token=abc%3D'
}
const { as } = await boot(t, 'observability', 'models', 'tools', 'packs', { env } as never)
const ada = as('ada')
const agent = await ada.agent({ ...local, name: 'Clerk' })
const tool = {
  name: 'look',
  description: 'Looks',
  kind: 'http',
  config: { url: `${address}/tool`, method: 'POST' }
}
const made = await ada.post('/v1/tools', { ...tool, parameters: { type: 'object' } })
await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: made.body.data?.id })

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const call = { agentId: agent.id, messages: [{ role: 'user', content: '/call look {}' }] }
const traces = async () => (await ada.get(`/v1/logs/agents/${agent.id}/observability`)).body.data as Any[]

t.test('a trace goes on: from the caller through the run to the tool', async (t) => {
  const reply = await ada.post('/v1/agents/run', call, { traceparent: `00-${traceId}-${spanId}-01` })
  t.equal(reply.status, 200)
  const [trace] = await traces()
  t.match(trace, { traceId, spans: [{ parentSpanId: spanId }] })
  const span = trace.spans.find(({ name }: Any) => name === 'execute_tool look')
  const asked = heard.find(({ path }) => path === '/tool')
  t.equal(asked?.headers.traceparent, `00-${traceId}-${span.spanId}-01`)
})

t.test('a run without one, or with one that is none, begins a trace of its own', async (t) => {
  for (const traceparent of [undefined, 'nonsense', `00-${'0'.repeat(32)}-${spanId}-01`]) {
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent }
    await ada.post('/v1/agents/run', call, headers)
    const [trace] = await traces()
    t.match(trace.traceId, /^(?!4bf92f)(?!0{32})[0-9a-f]{32}$/)
    const sent = String(heard.findLast(({ path }) => path === '/tool')?.headers.traceparent)
    t.equal(sent.split('-')[1], trace.traceId)
  }
})

t.test('a collector gets the spans, also when it did not take them at first', async (t) => {
  const taken = () => heard.filter(({ path }) => path === '/v1/traces')
  const spansOf = ({ body }: Heard) =>
    JSON.parse(body).resourceSpans.flatMap((it: Any) =>
      it.scopeSpans.flatMap(({ spans }: Any) => spans)
    ) as Any[]
  const all = await until(
    async () => taken().slice(1).flatMap(spansOf),
    (spans) => spans.filter(({ name }: Any) => name.startsWith('invoke_agent')).length >= 4
  )
  t.ok(taken().length > 1)
  t.equal(taken()[0]?.headers['x-token'], 'abc=')
  const own = all.filter((span: Any) => span.traceId === traceId)
  const names = [...new Set(own.map(({ name }: Any) => name.split(' ')[0]))].sort()
  t.same(names, ['chat', 'execute_tool', 'invoke_agent'])
  const [root] = own.filter(({ name }: Any) => name.startsWith('invoke_agent'))
  t.equal(root.parentSpanId, spanId)
  t.ok(Number(root.endTimeUnixNano) >= Number(root.startTimeUnixNano))
  const attribute = root.attributes.find(({ key }: Any) => key === 'gen_ai.agent.id')
  t.equal(attribute.value.stringValue, agent.id)
  t.ok(
    own
      .filter((it: Any) => it !== root && it.name !== root.name)
      .every((it: Any) => it.parentSpanId === root.spanId)
  )
})
