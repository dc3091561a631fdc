import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import type { Measure, Row } from '../row.ts'
import type { Scope } from '../scope.ts'
import { startSide } from '../side.ts'
import type { Api } from '../tools.ts'
import { createApi, PACKS } from '../tools.ts'

/** Milliseconds between two requests of the caller that is measured. */
const EVERY = 10
const REACH = 50
/** What the server of models is asked for: see its fixture. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'openai-compatible': [
    'calls with a growing index',
    'giant ids',
    'pieces of two calls by turns',
    'deltas that say nothing',
    'wide events',
    'deep events'
  ],
  anthropic: ['messages: calls', 'messages: pings'],
  google: ['gemini: calls', 'gemini: many calls in one event']
}

/** Goes on until the signal aborts; what fails is what the platform is expected to do. */
type Attack = (signal: AbortSignal) => Promise<void>

const again =
  (work: (count: number) => Promise<unknown>): Attack =>
  async (signal) => {
    for (let count = 0; !signal.aborted; count++) {
      await work(count).catch(() => undefined)
      // Who is refused at once comes again soon.
      await delay(20)
    }
  }

const together =
  (...attacks: readonly Attack[]): Attack =>
  async (signal) => {
    await Promise.all(attacks.map((attack) => attack(signal)))
  }

async function agentOf(api: Api, toolId: string): Promise<string> {
  const { id } = await api.post('/v1/agents', { name: 'Attacker' })
  await api.post(`/v1/agents/${id}/tools`, { toolId })
  return id
}

function models(api: Api): Attack {
  const all = Object.entries(MODELS).flatMap(([modelProvider, ids]) =>
    ids.map((modelId) => ({ modelProvider, modelId }))
  )
  return again(async (count) => {
    const agent = { name: 'Attacker', ...all[count % all.length] }
    const { id: agentId } = await api.post('/v1/agents', agent)
    const run = () => api.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'Hello' }] })
    await Promise.allSettled([run(), run()])
  })
}

async function floods(api: Api, url: string): Promise<Attack> {
  const { id } = await api.post('/v1/mcp/servers', { name: 'flood', url })
  await api.post(`/v1/mcp/servers/${id}/connect`, {})
  const agentId = await agentOf(api, 'flood__go')
  return again(() => api.post('/v1/agents/tools', { agentId, toolName: 'flood__go', args: {} }))
}

function schemas(api: Api, url: string): Attack {
  const deep = (level: number): object =>
    level === 0
      ? { type: 'string', maxLength: 5 }
      : { oneOf: [deep(level - 1), deep(level - 1)], title: 'x'.repeat(level) }
  const register = (parameters: object) =>
    api.post('/v1/tools', {
      name: `dear_${randomUUID().replaceAll('-', '_')}`,
      description: 'x',
      parameters: { ...parameters, title: randomUUID() },
      config: { method: 'POST', url: 'https://example.com/', body: '{{a}}' }
    })
  const connect = async (count: number) => {
    const { id } = await api.post('/v1/mcp/servers', { name: `dear_${count}`, url })
    await api.post(`/v1/mcp/servers/${id}/connect`, {})
  }
  return together(
    again(connect),
    again(() => Promise.all(Array.from({ length: 4 }, () => register({ properties: { a: deep(10) } })))),
    again(() => register({ properties: { a: { type: 'string', pattern: '^(a+)+$' } } }))
  )
}

async function templates(api: Api): Promise<Attack> {
  const pattern = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } }
  const about = { name: 'template', description: 'x', parameters: pattern }
  const config = { method: 'POST', url: 'https://example.com/', body: Array(4_000).fill('{{x}}') }
  const agentId = await agentOf(api, (await api.post('/v1/tools', { ...about, config })).id)
  const args = [{ x: 'a'.repeat(10_000) }, { x: `${'a'.repeat(60)}b` }]
  return again((count) =>
    api.post('/v1/agents/tools', { agentId, toolName: 'template', args: args[count % 2] })
  )
}

/** How long another project's caller waits, 99 times of a hundred: asked every few milliseconds, answered or not. */
async function p99(served: Served, key: string, ms: number): Promise<number> {
  const waits: Promise<number>[] = []
  const ask = async (path: string) => {
    const begun = performance.now()
    const reply = await fetch(served.url + path, { headers: { authorization: `Bearer ${key}` } })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`)
    return performance.now() - begun
  }
  const end = performance.now() + ms
  while (performance.now() < end) {
    waits.push(ask(waits.length % 2 ? '/v1/agents?limit=1' : '/health'))
    await delay(EVERY)
  }
  const all = (await Promise.all(waits)).sort((a, b) => a - b)
  return all[Math.ceil(all.length * 0.99) - 1] as number
}

async function startHostile(scope: Scope) {
  const side = await startSide(scope, 'hostile')
  return side.ask<{ modelUrl: string; floodUrl: string; dearUrl: string }>('address')
}

/** What a caller of another project feels of strangers that mean harm, each alone and all at once. */
export const measure: Measure = async (scope, quick) => {
  const { modelUrl, floodUrl, dearUrl } = await startHostile(scope)
  const served = await startPlatform(
    scope,
    {},
    {
      packs: [...PACKS, 'mcp'],
      env: {
        OUTGOING_ALLOW: '127.0.0.0/8',
        OPENAI_COMPATIBLE_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'a',
        ANTHROPIC_BASE_URL: modelUrl,
        GEMINI_API_KEY: 'g',
        GOOGLE_GENERATIVE_AI_BASE_URL: modelUrl,
        RUN_SECONDS: '2',
        MCP_CONNECT_SECONDS: '5',
        MCP_CALL_SECONDS: '3'
      }
    }
  )
  const api = createApi(served)
  const other = await served.ask<string>('key', 'another')
  const attacks: Record<string, Attack> = {
    models: models(api),
    'tool servers that flood': await floods(api, floodUrl),
    schemas: schemas(api, dearUrl),
    templates: await templates(api)
  }
  attacks['all of them'] = together(...Object.values(attacks))
  const ms = quick ? 3_000 : 10_000
  // What a vendor's client costs to load is paid once.
  await api.post('/v1/agents', { name: 'Calm' })
  await p99(served, other, 1_000)
  const quiet = await p99(served, other, ms)
  const rows: Row[] = []
  for (const [name, attack] of Object.entries(attacks)) {
    const over = new AbortController()
    const attacking = attack(over.signal)
    await delay(1_000)
    const wait = await p99(served, other, ms)
    over.abort()
    await attacking
    rows.push({
      what: `p99 of another caller while hostile: ${name}`,
      reach: `≤ ${REACH} ms`,
      measured: `${wait.toFixed(1)} ms (quiet ${quiet.toFixed(1)} ms)`,
      met: wait <= REACH
    })
  }
  return rows
}
