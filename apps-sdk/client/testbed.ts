import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { promisify } from 'node:util'
import type { ApiError, Client, ClientOptions, RunEvent, RunRequest } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'
import type { BootOptions } from '../../test/boot.ts'
import { boot } from '../../test/boot.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A platform that runs agents, a client of it, and an agent of the built-in model. */
export async function stage(t: Scope, options: BootOptions = {}) {
  const booted = await boot(t, 'runs', ...(options.packs ?? []), { ...options, packs: undefined })
  const key = await booted.as('ada').key()
  const client = (more: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: booted.url, apiKey: key, ...more })
  const ada = client()
  const { data: agent } = await ada.post('/v1/agents', { body: { name: 'Ada', modelProvider: 'local' } })
  const saying = (content: string, fields: Partial<RunRequest> = {}): RunRequest => ({
    agentId: agent.id,
    messages: [{ role: 'user', content }],
    ...fields
  })
  return { booted, key, client, ada, agent, saying }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

export const seqs = (events: readonly RunEvent[]): number[] => events.map(({ seq }) => seq)
export const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, seq) => seq)
export const textOf = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === 'token' ? event.content : '')).join('')

/** Node 20 where there is one, else the one that runs the tests. */
export async function oldNode(): Promise<string> {
  for (const path of ['/usr/local/bin/node', '/usr/bin/node', '/opt/homebrew/bin/node'])
    if (existsSync(path) && (await promisify(execFile)(path, ['--version'])).stdout.startsWith('v20.'))
      return path
  return process.execPath
}

/** What an error is to look like, for `t.rejects`. */
export const failing = (wanted: Partial<Record<keyof ApiError, unknown>>) => wanted as Error

/** The same numbers again for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A way to the platform whose every connection is cut behind so many bytes of what the platform says, as `after`
 * tells for each new one; undefined: never.
 */
export async function cuttingProxy(t: Scope, url: string, after: () => number | undefined = () => undefined) {
  const { hostname, port } = new URL(url)
  const open = new Set<{ near: net.Socket; mute: boolean }>()
  const stats = { cuts: 0 }
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname)
    const connection = { near, mute: false }
    let left = after() ?? Number.POSITIVE_INFINITY
    open.add(connection)
    near.on('data', (chunk) => far.write(chunk))
    near
      .on('error', () => undefined)
      .on('close', () => {
        open.delete(connection)
        far.destroy()
      })
    far.on('error', () => undefined).on('close', () => connection.mute || near.end())
    far.on('data', (chunk: Buffer) => {
      if (connection.mute || left <= 0) return
      const passed = chunk.subarray(0, left)
      left -= chunk.length
      if (left > 0) return void near.write(passed)
      stats.cuts++
      near.write(passed, () => near.resetAndDestroy())
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const { near } of open) near.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stats,
    /** Nothing comes through the connections that are open now, and nobody is told. */
    mute() {
      for (const connection of open) connection.mute = true
    },
    /** Resolves when all connections that are open now are closed. */
    async closed() {
      await Promise.all([...open].map(({ near }) => near.closed || once(near, 'close')))
    }
  }
}

/** What a little server was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly at: number
}

/** A server that does to each request what the test says. */
export async function little(
  t: Scope,
  answer: (asked: Asked, number: number, ...raw: Parameters<RequestListener>) => unknown
) {
  const asked: Asked[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body, at: performance.now() }
    asked.push(one)
    await answer(one, asked.length, request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
