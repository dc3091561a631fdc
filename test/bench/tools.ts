import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Served } from './platform.ts'

export const PACKS = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools']

export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: what a reply holds depends on the path
  post(path: string, body: object): Promise<any>
}

/** What is set up before something is measured. */
export function createApi({ url, key }: Served): Api {
  return {
    async post(path, body) {
      const reply = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${text}`)
      return JSON.parse(text).data
    }
  }
}

/** An agent that was assigned so many tools, the first of them static. */
export async function agentWith(api: Api, count: number): Promise<string> {
  const { id } = await api.post('/v1/agents', { name: 'Measured', modelProvider: 'local' })
  await api.post(`/v1/agents/${id}/tools`, { toolId: 'calculator' })
  for (let n = 1; n < count; n++) {
    const tool = await api.post('/v1/tools', {
      name: `tool_${count}_${n}`,
      description: 'Looks something up',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
      config: { method: 'GET', url: 'https://example.com/', query: { q: '{{query}}' } }
    })
    await api.post(`/v1/agents/${id}/tools`, { toolId: tool.id })
  }
  return id
}

/** Milliseconds from the request of a run to the first of its events of each type; throws unless it completes. */
export async function timed(
  { url, key }: Served,
  agentId: string,
  content: string
): Promise<ReadonlyMap<string, number>> {
  const begun = performance.now()
  const reply = await fetch(`${url}/v1/agents/run/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agentId, messages: [{ role: 'user', content }] })
  })
  if (!reply.ok || !reply.body) throw new Error(`A run gave ${reply.status} ${await reply.text()}`)
  const came = new Map<string, number>()
  const frames = reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of frames) {
    const { type, isError, output } = JSON.parse(data)
    if (isError) throw new Error(`A call failed: ${JSON.stringify(output)}`)
    if (!came.has(type)) came.set(type, performance.now() - begun)
  }
  if (!came.has('final')) throw new Error(`A run ended with ${[...came.keys()].at(-1)}`)
  return came
}
