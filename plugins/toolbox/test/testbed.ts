import { join } from 'node:path'
import type { Principal } from 'agent-platform'
import type { BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { ModelServerOptions } from '../../../test/model-server.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { Agents } from '../../agents/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Call, Output, StaticTool, Tools } from '../../tools/contract.ts'
import type { ToolboxSettings } from '../settings.ts'

export { local, scripted } from '../../../test/model-stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

interface Given {
  readonly outgoing: Outgoing
  readonly agents: Agents
  readonly runs: Runs
  readonly tools: Tools
}
const settings: ToolboxSettings = {
  fetchBytes: 1_048_576,
  fetchSeconds: 30,
  delegateDepth: 3,
  delegateSeconds: 60
}

/** A call of a tool that has no need of a platform. */
export function calling(tool: StaticTool) {
  return (args: object, given: Partial<Call> = {}): Promise<Output> =>
    tool.call({
      id: 'call_1',
      by: {} as Principal,
      agentId: 'agent_1',
      args: args as Call['args'],
      depth: 0,
      untrusted: false,
      signal: new AbortController().signal,
      secret: () => undefined,
      redact: async (said) => said,
      progress: () => undefined,
      ask: async () => ({ action: 'decline' }),
      used: () => undefined,
      ...given
    })
}

const place = 'test.toolbox.given'

/** A platform whose agents have these tools, and a model's server for agents whose model is `scripted`. */
export async function crew(t: Scope, { env, ...options }: BootOptions & ModelServerOptions = {}) {
  const server = await startModelServer(t, options)
  const folder = await temporaryFolder(t)
  // Hands over what packs are given.
  await writeFiles(join(folder, 'probe'), {
    'pack.ts': packText(
      'probe',
      `requires: ['outgoing', 'agents', 'runs', 'tools'],
      start: async (deps) => { globalThis[Symbol.for('${place}')] = deps }`
    )
  })
  const booted = await boot(t, 'toolbox', 'probe', {
    ...options,
    folders: [folder],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }
  })
  const deps = { ...((globalThis as never)[Symbol.for(place)] as Given), settings }
  return { booted, server, deps, ada: booted.as('ada'), eve: booted.as('eve') }
}
