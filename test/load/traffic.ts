// The callers of `test:load`, in a process of its own: begins what is due at the rate that it is told, and tells each time it
// is asked what has come of it since.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { createClient as createSdkClient } from '../../apps-sdk/client/src/index.ts'
import { createClient } from '../client.ts'
import type { Scene } from './operations.ts'
import { operations } from './operations.ts'

/** What is done a second, or how many things at once. */
export type Pace = { readonly rate: number } | { readonly together: number }
export type Asked =
  | { readonly begin: { readonly urls: readonly string[]; readonly key: string } }
  | { readonly pace: Pace }
  | { readonly sample: true }
  | { readonly finish: true }

/** Since the last one; milliseconds. */
export interface Sample {
  readonly done: number
  readonly failed: readonly string[]
  readonly streams: number
  readonly open: number
  readonly p50: number
  readonly p99: number
}
/** What webhooks were to send, and what came. */
export interface Finished {
  readonly changed: number
  readonly received: number
}

/** So much is open at most: what is due beyond it waits, and that shows in its rate. */
const MOST = 256
const TICK_MS = 20

const latency = createHistogram()
let failed: string[] = []
let [done, streams, open, turn, due] = [0, 0, 0, 0, 0]
let pace: Pace = { rate: 0 }
let scene: Scene | undefined
const received = new Set<string>()

async function begin({ urls, key }: { urls: readonly string[]; key: string }): Promise<string> {
  const receiver = createServer((request, reply) => {
    received.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => reply.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const [client] = urls.map((url) => createClient(url, 'load', key))
  if (!client) throw new Error('There is no instance')
  const agent = await client.agent({ modelProvider: 'local' })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const made = await client.post('/v1/webhooks', { url, types: ['agents.updated'] })
  const given = await client.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  for (const { status, text } of [made, given]) if (status !== 201) throw new Error(text)
  scene = {
    agentId: agent.id,
    places: urls.map((url) => ({
      client: createClient(url, 'load', key),
      platform: createSdkClient({ baseUrl: url, apiKey: key })
    })),
    counts: { changed: 0 }
  }
  return agent.id
}

async function one(scene: Scene): Promise<void> {
  const index = turn++
  const operation = operations[index % operations.length] as (typeof operations)[number]
  const place = scene.places[index % scene.places.length] as Scene['places'][number]
  const other = scene.places[(index + 1) % scene.places.length] as Scene['places'][number]
  const at = performance.now()
  open++
  try {
    await operation(scene, place, other, index)
    if (operation.name === 'stream') streams++
    latency.record(Math.max(1, Math.round((performance.now() - at) * 1_000)))
  } catch (error) {
    failed.push(`${operation.name}: ${(error as Error).message}`.slice(0, 300))
  }
  open--
  done++
  if ('together' in pace) fill()
}

function fill(): void {
  if (!scene) return
  if ('together' in pace) while (open < pace.together) void one(scene)
  else for (; due >= 1 && open < MOST; due--) void one(scene)
}

let last = performance.now()
setInterval(() => {
  const now = performance.now()
  if ('rate' in pace) due = Math.min(MOST, due + ((now - last) / 1_000) * pace.rate)
  last = now
  fill()
}, TICK_MS)

function sample(): Sample {
  const at = (percentile: number) => latency.percentile(percentile) / 1_000
  const taken = { done, failed, streams, open, p50: at(50), p99: at(99) }
  latency.reset()
  done = streams = 0
  failed = []
  return taken
}

/** Resolves when nothing is open and every webhook has come that can be awaited. */
async function finish(): Promise<Finished> {
  pace = { rate: 0 }
  due = 0
  const until = performance.now() + 60_000
  const isWhole = () => open === 0 && received.size >= (scene?.counts.changed ?? 0)
  while (!isWhole() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
  return { changed: scene?.counts.changed ?? 0, received: received.size }
}

async function answer(asked: Asked): Promise<unknown> {
  if ('begin' in asked) return begin(asked.begin)
  if ('sample' in asked) return sample()
  if ('finish' in asked) return finish()
  pace = asked.pace
  due = 0
  fill()
}

process.on('message', ({ id, asked }: { id: number; asked: Asked }) => {
  answer(asked).then(
    (value) => process.send?.({ id, value }),
    (error) => process.send?.({ id, error: (error as Error).message })
  )
})
process.on('disconnect', () => process.exit(0))
