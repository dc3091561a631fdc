import type { Kernel } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Profile } from '../../agents/contract.ts'
import type { Model } from '../../models/contract.ts'
import { callOf } from '../execute/next-call.ts'
import type { RunInfo } from '../gates.ts'
import type { Reserved } from '../stores/start-reservations.ts'
import type { Asked } from './asked.ts'

export type Gates = ReturnType<typeof createGates>

/** 400 for a token that limits what its runs spend, where nothing counts that. */
export function checkSpend(points: Kernel['points'], { by, project }: RunInfo): void {
  if (!by.attenuation?.spend) return
  if (points.all('runs.gate').some(({ value }) => value.countsSpend?.(project))) return
  throw invalid(
    'authorization',
    'This token has a spend limit, but credits are off in this project, so spending cannot be tracked. Enable credits (CREDITS_PROJECTS), or use a token without a spend limit.',
    'spend_not_counted'
  )
}

/** What gates have to say of a run that is to begin. */
export function createGates({ points }: Pick<Kernel, 'points'>) {
  /** Throws where one refuses it; else what they want reserved for it. */
  async function admit(
    run: RunInfo,
    { messages, cliContext = '' }: Asked,
    model: Model,
    { agent, knowledgebase }: Profile
  ): Promise<readonly Reserved[]> {
    const gates = points.all('runs.gate')
    checkSpend(points, run)
    for (const { value } of gates) await value.admit?.(run)
    const reserved: Reserved[] = []
    for (const { pack, value } of gates) {
      if (!value.reservations) continue
      const own = cliContext.length + (agent.instructions?.length ?? 0) + (knowledgebase?.length ?? 0)
      const characters = messages.reduce((sum, { content }) => sum + content.length, own)
      const wanted = await value.reservations.of(run, callOf(model, agent.maxTokens, characters))
      if (wanted) reserved.push({ pack, reservations: value.reservations, wanted })
    }
    return reserved
  }

  /** Throws for the first that could not be had. */
  async function explain(run: RunInfo, reserved: readonly Reserved[]): Promise<void> {
    for (const { reservations, wanted } of reserved) await reservations.explain(run, wanted)
  }

  return { admit, explain }
}
