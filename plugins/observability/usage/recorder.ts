import type { Fact, Kernel, Trx } from 'agent-platform'
import { timeOfId } from 'agent-platform'
import type { Credits, Priced } from '../../credits/contract.ts'
import type { Asked } from '../../models/contract.ts'
import type { Usage } from '../../runs/contract.ts'
import type { Called } from '../../tools/contract.ts'
import type { CallRow, UsageStore } from '../stores/usage.ts'

export type UsageRecorder = ReturnType<typeof createUsageRecorder>

interface Ended {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly steps: readonly (Usage & {
    readonly modelProvider?: string | null
    readonly modelId?: string | null
  })[]
}

interface Deps extends Pick<Kernel, 'log'> {
  credits: Credits | undefined
  usageStore: UsageStore
}

type Uncosted = Omit<CallRow, 'cost'> & { readonly priced: Priced }

/** Counts what runs and calls of tools used, in the transaction that handles the facts of their ends: once each. */
export function createUsageRecorder({ credits, usageStore }: Deps) {
  async function runsEnded(facts: readonly Fact<Ended>[], trx: Trx): Promise<void> {
    await record(
      trx,
      facts.flatMap(({ project, owner, at, data }) =>
        data.steps.map((step, index): Uncosted => {
          const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens } = step
          const provider = step.modelProvider ?? data.modelProvider ?? 'unknown'
          const name = step.modelId ?? data.modelId ?? 'unknown'
          const { runId, sessionId, agentId } = data
          const usage = { inputTokens, cachedTokens, outputTokens }
          return {
            ...{ project, runId, key: `step ${index + 1}`, owner, agentId, sessionId, kind: 'model' },
            ...{ provider, name, ...usage, milliseconds: null, isError: false, at },
            isEstimated: step.estimated === true,
            // A run is charged by the prices that were in force when it began.
            priced: {
              modelProvider: provider,
              modelId: name,
              usage: { ...usage, ...(cacheWriteTokens !== undefined && { cacheWriteTokens }) },
              at: begunAt(runId, at)
            }
          }
        })
      )
    )
  }

  async function toolsCalled(facts: readonly Fact<Called>[], trx: Trx): Promise<void> {
    await record(
      trx,
      facts.map(({ project, owner, at, data }): Uncosted => {
        const { callId, runId, agentId, toolName, kind: provider, milliseconds, isError } = data
        const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
        return {
          ...{ project, runId: runId ?? '', key: callId, owner, agentId, sessionId: null, kind: 'tool' },
          ...{ provider, name: toolName, ...usage, isEstimated: false, milliseconds, isError, at },
          priced: { toolName, at: begunAt(callId, at) }
        }
      })
    )
  }

  /** Of models, for what is no step of a run. */
  async function modelsAsked(facts: readonly Fact<Asked>[], trx: Trx): Promise<void> {
    await record(
      trx,
      facts.map(({ project, owner, at, data }): Uncosted => {
        const { callId: key, runId, sessionId, agentId, modelProvider, modelId, ...made } = data
        const { estimated: isEstimated = false, ...usage } = made.usage
        const { cacheWriteTokens: _, ...counted } = usage
        return {
          ...{ project, runId: runId ?? '', key, owner, agentId, sessionId, kind: 'model' },
          ...{ provider: modelProvider, name: modelId, ...counted, isEstimated, at },
          ...{ milliseconds: made.milliseconds, isError: made.isError },
          priced: { modelProvider, modelId, usage, at: begunAt(key, at) }
        }
      })
    )
  }

  async function record(trx: Trx, calls: readonly Uncosted[]): Promise<void> {
    const rows: CallRow[] = []
    for (const [project, of] of Map.groupBy(calls, (call) => call.project)) {
      const costs = await credits?.costs(
        trx,
        project,
        of.map(({ priced }) => priced)
      )
      for (const [index, { priced: _, ...call }] of of.entries())
        rows.push({ ...call, cost: millionthsOf(costs?.[index]) })
    }
    if (rows.length > 0) await usageStore.insertAll(trx, rows)
  }

  return { runsEnded, toolsCalled, modelsAsked }
}

/** As its id says, where it is one that is made of time. */
function begunAt(id: string, else_: string): string {
  const time = timeOfId(id)
  return Number.isNaN(time) ? else_ : new Date(time).toISOString()
}

/** Of a decimal of up to six digits behind the point. */
function millionthsOf(cost: string | null | undefined): number | null {
  if (cost === null || cost === undefined) return null
  const [whole = '0', part = ''] = cost.split('.')
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'))
}
