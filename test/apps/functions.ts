import type { Sandbox } from '../../plugins/sandbox/contract.ts'
import { stage as stageOfApps } from '../../plugins/ui-plugins/test/gateway/testbed.ts'
import type { Client } from '../client.ts'

export { refuses } from '../../plugins/ui-plugins/test/gateway/testbed.ts'

type Scope = Parameters<typeof stageOfApps>[0]
type Declared = Readonly<Record<string, unknown>>

const packs = ['models', 'sessions', 'runs', 'tools', 'app-functions']

/** A platform on which agents run and apps are their tools. */
export async function stage(t: Scope, more: readonly string[] = []) {
  const { booted, probe, enable } = await stageOfApps(t, { packs: [...packs, ...more] })

  /** Registers and enables an app; each function is a tool, as far as `declared` does not say otherwise. */
  async function install(
    client: Client,
    id: string,
    functions: Readonly<Record<string, string>>,
    declared: Readonly<Record<string, Declared>> = {},
    fields: Declared = {}
  ) {
    const all = Object.keys(functions).map((name) => {
      return { name, description: `Does ${name}`, input: { type: 'object' }, tool: true, ...declared[name] }
    })
    const app = await enable(client, id, functions, { functions: all, ...fields })
    await booted.settled()
    return app
  }

  /** The tools of apps that the client may use, by name. */
  async function toolsOf(client: Client) {
    const { body } = await client.get('/v1/tools?kind=app&limit=100')
    return new Map((body.data as ToolShown[]).map((tool) => [tool.name, tool]))
  }

  /** An agent with these tools. */
  async function agentWith(client: Client, ...toolIds: readonly string[]) {
    const agent = await client.agent({ modelProvider: 'local' })
    for (const toolId of toolIds) {
      const { status, text } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId })
      if (status !== 201) throw new Error(text)
    }
    return agent
  }

  /** Ends the process in which a function is under way, as `kill -9` does. */
  function kill(): void {
    const { deps } = booted.platform.server.current().packs.get('sandbox') ?? {}
    const sandbox = deps?.sandboxService as Sandbox | undefined
    const { pid } = sandbox?.readings().processes.find(({ calls }) => calls > 0) ?? {}
    if (pid === undefined) throw new Error('No function is under way')
    process.kill(pid, 'SIGKILL')
  }

  const ada = booted.as('ada')
  const eve = booted.as('eve')
  return { booted, probe, install, toolsOf, agentWith, kill, ada, eve }
}

interface ToolShown {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly available: boolean
  readonly unavailable: string | null
}

/** A promise that a capability waits for, and one that says that it does. */
export function gate() {
  const reached = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: open.resolve,
    async pass() {
      reached.resolve()
      await open.promise
    }
  }
}
