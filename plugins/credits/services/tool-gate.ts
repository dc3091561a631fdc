import { paymentRequired } from 'agent-platform'
import type { ToolGate } from '../../tools/contract.ts'
import { formatAmount } from '../amounts.ts'
import type { Known } from './known.ts'
import { priceOf, targetsOfTool } from './pricing.ts'
import type { Projects } from './projects.ts'
import type { Reserving } from './reserving.ts'

interface Deps {
  known: Known
  projects: Projects
  reserving: Reserving
}

/** Calls of priced tools have their price reserved: with their run, or for themselves. */
export const createToolGate = ({ known, projects, reserving }: Deps): ToolGate => ({
  async admit({ id, by, agentId, run, toolName }) {
    if (!projects.cost(by.project)) return
    const price = priceOf(await known.prices(by.project), 'tool', targetsOfTool(toolName))
    if (!price || price.call === 0n) return
    const { project, owner } = by
    const about = { by, project, owner, agentId, id: run?.id ?? id, isRun: run !== undefined }
    if (!(await reserving.more({ ...about, sessionId: run?.sessionId ?? null }, price.call)))
      throw paymentRequired(
        `A call of ${toolName} costs ${formatAmount(price.call)} credits, which are not left`,
        {
          code: 'credits_exhausted'
        }
      )
  }
})
