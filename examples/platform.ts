// What the examples share: a client of the platform, and the agent that they talk to.
import { readFile } from 'node:fs/promises'
import type { Client } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'

export const platform = createClient({
  baseUrl: process.env.PLATFORM_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PLATFORM_API_KEY ?? (await developmentKey())
})

/** The id on the command line, else that of the agent that a platform in development makes at its first start. */
export const agentId = process.argv[2] ?? (await idOf(platform, 'welcome'))

/** `npm start` writes it into the folder of the platform's data. */
async function developmentKey(): Promise<string> {
  const file = `${process.env.DATA_DIR ?? '.data'}/development-key`
  return (await readFile(file, 'utf8')).trim()
}

async function idOf(client: Client, name: string): Promise<string> {
  for await (const agent of client.list('/v1/agents')) if (agent.name === name) return agent.id
  throw new Error(`There is no agent ${name}: give the id of another one`)
}
