import { resolve } from 'node:path'
import { build } from 'esbuild'
import type { Client } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'

let bundled: Promise<string> | undefined

/** The reference runtime with the client in it, as one file. */
export const referenceRuntime = (): Promise<string> => {
  bundled ??= build({
    entryPoints: [resolve(import.meta.dirname, '../../../examples/runtime/main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false
  }).then(({ outputFiles: [file] }) => file?.text ?? '')
  return bundled
}

export const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/runtime${rest}`

/** An agent with that program in its computer, configured and not deployed. */
export async function withRuntime(client: Client, config: object = {}, program?: string) {
  const agent = await client.agent()
  await client.put(`/v1/agents/${agent.id}/computer/config`, { enabled: true, memoryMb: 512 })
  const content = program ?? (await referenceRuntime())
  const written = await client.post(`/v1/agents/${agent.id}/computer/files/write`, {
    files: [{ path: 'runtime.mjs', content }]
  })
  if (written.status !== 200) throw new Error(written.text)
  const { status, text } = await client.put(of(agent.id), { command: ['node', 'runtime.mjs'], ...config })
  if (status !== 200) throw new Error(text)
  return agent
}

/** Deploys it, and waits until it is so. */
export async function deployed(client: Client, agentId: string, observed = 'awake') {
  const { status, text } = await client.post(of(agentId, '/deploy'))
  if (status !== 200) throw new Error(text)
  return became(
    client,
    agentId,
    ({ status, processes }) => status.observed === observed && processes[0]?.state !== 'starting'
  )
}

// biome-ignore lint/suspicious/noExplicitAny: as replies are
export const became = (client: Client, agentId: string, is: (runtime: any) => boolean) =>
  until(async () => (await client.get(of(agentId))).body.data, is)

export const say = (client: Client, agentId: string, content: string, more: object = {}) =>
  client.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content }], ...more })
