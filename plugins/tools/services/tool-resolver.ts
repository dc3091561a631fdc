import { createHash } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import type { Call, InjectedKey, KindTool, Offered, Output, StaticTool } from '../contract.ts'
import type { AssignedTool, ToolRow } from '../rows.ts'
import type { ToolSettings } from '../settings.ts'

export type ToolResolver = ReturnType<typeof createToolResolver>

/** A tool that can be called now, whatever its kind. */
export interface Callable extends Omit<Offered, 'policy'> {
  readonly kind: string
  readonly version: number
  readonly timeoutSeconds?: number
  /** Why it cannot be called for a while. */
  readonly unavailable: string | null
  /** Whether keys may be mapped to it. */
  readonly hasKeys: boolean
  call(call: Call, keys: readonly InjectedKey[]): Promise<Output>
}

interface Deps extends Pick<Kernel, 'points'> {
  settings: ToolSettings
}

/** Finds what serves a tool, in the generation now current. */
export function createToolResolver({ points, settings }: Deps) {
  const stamps = new WeakMap<StaticTool, string>()

  /** Undefined while the pack that serves it is off. */
  const find = ({ tool, assignment }: AssignedTool): Callable | undefined =>
    tool ? registered(tool) : ofPack(assignment.toolId)

  function registered(tool: ToolRow): Callable | undefined {
    const kind = points.all('tools.kind').find(({ key }) => key === tool.kind)?.value
    if (!kind) return undefined
    const { id, name, project, owner, config, description, parameters, idempotent, version } = tool
    const called: KindTool = { id, name, project, owner, config, idempotent }
    const { timeoutSeconds } = config
    const unavailable = kind.unavailable?.(called) ?? null
    return {
      id,
      name,
      kind: tool.kind,
      description,
      parameters,
      idempotent,
      version,
      stamp: `${id}/${version}`,
      unavailable,
      ...(typeof timeoutSeconds === 'number' && {
        timeoutSeconds: Math.min(timeoutSeconds, settings.toolSeconds)
      }),
      hasKeys: true,
      ...(kind.tokens && { tokens: kind.tokens }),
      call: (call, keys) => kind.call(called, call, keys)
    }
  }

  function ofPack(name: string): Callable | undefined {
    const tool = points.all('tools.static').find(({ key }) => key === name)?.value
    if (!tool) return undefined
    const { description, parameters, idempotent, timeoutSeconds } = tool
    const stamp = stampOf(name, tool)
    return {
      id: name,
      name,
      kind: 'static',
      description,
      parameters,
      idempotent,
      version: 1,
      stamp,
      unavailable: null,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      hasKeys: false,
      ...(tool.tokens && { tokens: tool.tokens }),
      call: tool.call
    }
  }

  function stampOf(name: string, tool: StaticTool): string {
    let stamp = stamps.get(tool)
    if (stamp === undefined) {
      const said = JSON.stringify([tool.description, tool.parameters, tool.idempotent])
      stamp = `${name}/${createHash('sha256').update(said).digest('base64url').slice(0, 16)}`
      stamps.set(tool, stamp)
    }
    return stamp
  }

  return { find }
}
