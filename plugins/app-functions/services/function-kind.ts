import { notFound, upstreamFailed } from 'agent-platform'
import type { Call, KindTool, Output, ToolKind } from '../../tools/contract.ts'
import type { UiPlugins } from '../../ui-plugins/contract.ts'
import { isCut, isRefusal } from './outcomes.ts'

interface Deps {
  'ui-plugins': UiPlugins
}

interface Config {
  readonly appId: string
  readonly pluginId: string
  readonly function: string
}
const configOf = ({ config }: KindTool) => config as unknown as Config

/** How tools that are functions of apps are called: on behalf of the run's initiator. */
export function createFunctionKind({ 'ui-plugins': apps }: Deps): ToolKind {
  async function call(
    tool: KindTool,
    { by, args, agentId, run, signal, depth, used }: Call
  ): Promise<Output> {
    const { appId, pluginId, function: name } = configOf(tool)
    const { id, manifest } = await apps.installation(by, pluginId)
    const isTool = manifest.functions.some((it) => it.name === name && it.tool)
    // The list of tools follows the apps a moment later.
    if (id !== appId || !isTool) throw notFound('Function')
    const order = { signal, depth, agentId, used, ...(run && { runId: run.id }) }
    try {
      return { output: await apps.callFunction(by, pluginId, name, args, order) }
    } catch (error) {
      signal.throwIfAborted()
      if (isRefusal(error)) return { output: error.message, isError: true }
      // Without a code: a service that says nothing, of which it is not known what it did.
      if (isCut(error)) throw upstreamFailed((error as Error).message)
      throw error
    }
  }

  function unavailable(tool: KindTool): string | null {
    const { project, owner } = tool
    const { state, until } = apps.health({ project, owner, pluginId: configOf(tool).pluginId }) ?? {}
    if (state !== 'quarantined') return null
    return `Its app is quarantined${until ? ` until ${until.toISOString()}` : ''}`
  }

  return { call, unavailable }
}
