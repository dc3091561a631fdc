import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../../kernel/deployment.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { startModelServer } from '../model-server.ts'
import { start } from '../packs/processes.ts'
import { startEverything } from './everything.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

const PACKS = [
  'access',
  'packs',
  'agents',
  'outgoing',
  'models',
  'sessions',
  'jobs',
  'runs',
  'tools',
  'toolbox',
  'mcp'
]
export const SECRET = 'sk-shop-0123456789abcdefghijklmnop'

/** A service behind HTTP that does what it is asked once for each idempotency key, and counts what it did. */
async function startShop(t: Scope) {
  const effects = new Map<string, number>()
  const keys = new Set<string>()
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    keys.add(String(request.headers['x-api-key']))
    const id = String(request.headers['idempotency-key'] ?? `request ${requests}`)
    const known = effects.get(id)
    if (known === undefined) effects.set(id, effects.size + 1)
    // Long enough for a process to die in the middle.
    await delay(30)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ order: effects.get(id) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    effects,
    keys,
    requests: () => requests
  }
}

/** A platform whose agent has a tool behind HTTP with a key, one of a tool server, and one that is to be approved. */
export async function scene(t: Scope) {
  const model = await startModelServer(t)
  const shop = await startShop(t)
  const bank = await startShop(t)
  const everything = await startEverything(t)
  const env = { OPENAI_COMPATIBLE_BASE_URL: model.url, OUTGOING_ALLOW: '127.0.0.0/8' }
  const home = await boot(t, { packs: PACKS, env })
  const ada = home.as('ada')
  const post = async (path: string, body: object) => {
    const reply = await ada.post(path, body)
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
    return reply.body.data
  }

  const order = await post('/v1/tools', {
    name: 'order',
    description: 'Orders a thing',
    config: { method: 'POST', url: `http://${shop.host}/orders` },
    idempotent: true
  })
  const key = await post('/v1/tool-keys', { name: 'shop', value: SECRET, allowedHosts: [shop.host] })
  await post('/v1/tool-keys/map', { keyId: key.id, toolId: order.id, in: 'header', name: 'x-api-key' })
  const pay = await post('/v1/tools', {
    name: 'pay',
    description: 'Pays for it',
    config: { method: 'POST', url: `http://${bank.host}/payments` },
    idempotent: false
  })
  const server = await post('/v1/mcp/servers', { name: 'everything', transport: 'http', url: everything })
  await post(`/v1/mcp/servers/${server.id}/connect`, {})
  const echo = (await ada.get('/v1/tools/everything__echo')).body.data

  /** An agent with the three of them. */
  async function agent(choice: object): Promise<{ id: string }> {
    const made = await ada.agent(choice)
    for (const [toolId, policy] of [
      [order.id, 'allow'],
      [echo.id, 'allow'],
      [pay.id, 'ask']
    ])
      await post(`/v1/agents/${made.id}/tools`, { toolId, policy })
    return made
  }

  /** An instance in a process of its own. */
  async function another() {
    const child = fileURLToPath(new URL('../packs/child.ts', import.meta.url))
    const running = await start(t, child, {
      LOG_LEVEL: 'silent',
      PLATFORM_LIMIT_PER_MINUTE: '1000000',
      ...env,
      STAGE_CONNECTION: JSON.stringify(home.connection),
      STAGE_DEPLOYMENT: JSON.stringify({
        folders: [join(root, 'plugins')],
        enabled: false,
        packs: Object.fromEntries(PACKS.map((name) => [name, { enabled: true }]))
      })
    })
    await running.ready
    return { ...running, client: createClient(running.url, 'ada', ada.key()) }
  }
  return { home, ada, model, shop, bank, agent, another }
}
