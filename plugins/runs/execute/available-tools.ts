import type { Kernel } from 'agent-platform'
import { mayCall } from 'agent-platform'
import type { RunInfo, Tool, ToolSource } from '../contract.ts'
import { infoOf } from '../run-info.ts'
import type { StepRow } from '../stores/steps.ts'
import type { Live } from './live-runs.ts'

export type AvailableTools = ReturnType<typeof createAvailableTools>

/** What the model may call: asked anew before each of its replies. */
export function createAvailableTools({ points, log }: Pick<Kernel, 'points' | 'log'>) {
  /** What a reply was given to choose from a moment ago. */
  const latest = new WeakMap<StepRow, ReadonlyMap<string, Tool>>()

  async function list({ run, by }: Live): Promise<Map<string, Tool>> {
    const tools = new Map<string, Tool>()
    for (const { value } of points.all('runs.tools'))
      for (const tool of await offerOf(value, infoOf(run, by)))
        if (!tools.has(tool.name) && mayCall(by, tool)) tools.set(tool.name, tool)
    return tools
  }

  /** A source that fails offers nothing: the run goes on without. */
  async function offerOf(source: ToolSource, run: RunInfo): Promise<readonly Tool[]> {
    try {
      return await source.offer(run)
    } catch (error) {
      log.warn({ err: error, run: run.id }, 'tools could not be offered')
      return []
    }
  }

  return {
    list,
    remember: (step: StepRow, tools: ReadonlyMap<string, Tool>) => void latest.set(step, tools),
    /** For the calls of that reply: once as they were offered, and anew when they waited. */
    async of(live: Live, step: StepRow): Promise<ReadonlyMap<string, Tool>> {
      const tools = latest.get(step)
      latest.delete(step)
      return tools ?? list(live)
    }
  }
}
