import { join } from 'node:path'
import { createClient } from 'agent-platform-client'
import { loadApp } from '../../apps-sdk/app/src/bundle/load-app.ts'
import { registerApp } from '../../apps-sdk/app/src/command/publish.ts'
import { grantsOf } from '../../apps-sdk/app/src/grants/grants.ts'
import { root } from '../../kernel/deployment.ts'
import type { BootOptions } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'

type Scope = Parameters<typeof boot>[0]

interface Published {
  readonly audience?: 'project'
  /** Where the app talks to a host by https: who stands in for it, without TLS. */
  readonly standIn?: { readonly for: string; readonly host: string }
}

const NEEDED = ['packs', 'jobs', 'outgoing', 'files', 'sandbox', 'ui-plugins', 'tools']

/** A platform on which the apps of `examples/apps` are published, enabled and used. */
export async function stage(t: Scope, packs: readonly string[], options: BootOptions = {}) {
  const { env, ...rest } = options
  const booted = await boot(t, ...NEEDED, ...packs, {
    ...rest,
    env: { SANDBOX_PROCESSES: '2', ...env }
  })

  /** Publishes an app as its author does, and enables it with all that it asks for. */
  async function publish(client: Client, name: string, { audience, standIn }: Published = {}) {
    const loaded = await loadApp(join(root, 'examples/apps', name))
    const app = standIn ? swapped(loaded, standIn) : loaded
    const { consent } = await registerApp(
      createClient({ baseUrl: booted.url, apiKey: await client.key() }),
      app
    )
    const at = `/v1/ui-plugins/${name}`
    const status = { status: 'enabled', grants: grantsOf(app.manifest), ...(audience && { audience }) }
    const { body, status: code, text } = await (audience ? booted.admin : client).put(`${at}/status`, status)
    if (code !== 200) throw new Error(text)
    await booted.settled()
    const ask = (method: string, params: unknown, by = client) => by.post(`${at}/gateway`, { method, params })
    return {
      at,
      id: body.data.id as string,
      consent,
      ask,
      /** Calls one of its functions, as its page does. */
      call: (name: string, input: object, by = client) => ask('functions.call', { name, input }, by)
    }
  }

  /** An agent of the built-in model, with functions of the app as tools. */
  async function agentWith(client: Client, ...tools: readonly string[]) {
    const agent = await client.agent({ modelProvider: 'local' })
    for (const toolId of tools) {
      const { status, text } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId })
      if (status !== 201) throw new Error(text)
    }
    return agent
  }

  return { booted, publish, agentWith, ada: booted.as('ada'), kim: booted.as('kim') }
}

type Loaded = Awaited<ReturnType<typeof loadApp>>

/** The same app, whose service is elsewhere: servers of tests have no certificates. */
function swapped({ manifest, files }: Loaded, { for: name, host }: { for: string; host: string }) {
  const swap = (text: string) => text.replaceAll(name, host).replaceAll('https://', 'http://')
  return {
    manifest: JSON.parse(swap(JSON.stringify(manifest))) as Loaded['manifest'],
    files: new Map(
      [...files].map(([path, bytes]) => [path, path === 'server.js' ? Buffer.from(swap(`${bytes}`)) : bytes])
    )
  }
}
