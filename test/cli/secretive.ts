import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../client.ts'
import { startModelServer } from '../model-server.ts'
import { temporaryFolder } from '../pack-folders.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A folder that is not there yet, in one that the database's own user may enter. */
export async function dataDir(t: Scope): Promise<string> {
  const folder = await temporaryFolder(t)
  chmodSync(folder, 0o755)
  return join(folder, 'data')
}

/** Secrets of an operator and of a project, and whether a model is called with them. */
export async function secretive(t: Scope) {
  const model = await startModelServer(t)
  const settings = { openaiApiKey: 'secret-of-the-operator', openaiBaseUrl: model.url }

  /** Through an agent, which the model answers with the key that it was given. */
  async function keyOf(client: Client, modelProvider: string): Promise<string | undefined> {
    const agent = await client.agent({ modelProvider, modelId: 'mock' })
    const messages = [{ role: 'user', content: 'Hello' }]
    const { status, text } = await client.post('/v1/agents/run', { agentId: agent.id, messages })
    if (status !== 200) throw new Error(text)
    return model.requests.at(-1)?.headers.authorization
  }

  return {
    async set(admin: Client): Promise<void> {
      const { status, text } = await admin.put('/v1/packs/models', { settings })
      if (status !== 200) throw new Error(text)
    },
    async setOf(service: Client, apiKey: string): Promise<void> {
      const path = '/v1/models/providers/openai-compatible'
      const { status, text } = await service.put(path, { apiKey, baseUrl: model.url })
      if (status !== 200) throw new Error(text)
    },
    keys: async (client: Client) => [await keyOf(client, 'openai'), await keyOf(client, 'openai-compatible')]
  }
}
