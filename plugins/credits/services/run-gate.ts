import { paymentRequired, unavailable } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { FirstCall, Gate, NextCall, Reservations, RunInfo, Usage } from '../../runs/contract.ts'
import { formatAmount } from '../amounts.ts'
import type { CreditSettings } from '../settings.ts'
import { counts } from '../stores/caps.ts'
import type { Price } from '../stores/prices.ts'
import type { ReservationStore, Wanted } from '../stores/reservations.ts'
import type { Known } from './known.ts'
import { costOf, priceOf, targetsOfModel } from './pricing.ts'
import type { Projects } from './projects.ts'
import type { Reserving } from './reserving.ts'

/** For so long an account that had too little is asked before its runs go to their model. */
const SHORT_MS = 60_000

interface Deps {
  known: Known
  settings: CreditSettings
  projects: Projects
  reservationStore: ReservationStore
  reserving: Reserving
}

/** Runs have what they may cost reserved before they begin, and before each further call of their model. */
export function createRunGate(deps: Deps): Gate {
  const { known, settings, projects, reservationStore, reserving } = deps
  const short = new LRUCache<string, true>({ max: 10_000, ttl: SHORT_MS })

  async function priceFor({ project }: RunInfo, { modelProvider, modelId }: NextCall) {
    const price = priceOf(await known.prices(project), 'model', targetsOfModel(modelProvider, modelId))
    if (!price && settings.unpriced === 'refuse')
      throw unavailable(`The model ${modelProvider}/${modelId} has no price`, { code: 'price_missing' })
    return price
  }

  /** What a call costs that has so long a prompt, and a reply as long as it may be. */
  const worstOf = (price: Price, inputTokens: number, { outputTokens }: NextCall): bigint =>
    costOf(price, {
      inputTokens,
      cachedTokens: 0,
      outputTokens: Math.min(outputTokens ?? settings.replyTokens, settings.replyTokens)
    })

  async function of(run: RunInfo, first: FirstCall): Promise<Wanted | undefined> {
    const { project, id, owner, agentId, sessionId } = run
    if (!projects.cost(project)) return undefined
    const price = await priceFor(run, first)
    const amount = price ? worstOf(price, first.inputTokens, first) : 0n
    if (amount === 0n) return undefined
    const accountId = await known.account(project, owner)
    const caps = (await known.caps(project, owner)).filter((cap) => counts(cap, run))
    const wanted = {
      id,
      project,
      owner,
      accountId,
      amount: String(amount),
      caps: caps.map((cap) => cap.id),
      agentId,
      sessionId,
      modelProvider: first.modelProvider,
      modelId: first.modelId
    }
    // Its model would be asked before the record refuses it.
    if (short.has(accountId)) {
      await explain(run, wanted)
      short.delete(accountId)
    }
    return wanted
  }

  async function explain(_: RunInfo, wanted: Wanted): Promise<void> {
    try {
      await reserving.check(wanted)
    } catch (error) {
      short.set(wanted.accountId, true)
      throw error
    }
  }

  /** What it used is kept for it, and what its next call may cost; its last prompt comes again with what it said. */
  async function further(run: RunInfo, next: NextCall, used: readonly Usage[]): Promise<void> {
    if (!projects.cost(run.project)) return
    const price = await priceFor(run, next)
    if (!price) return
    const last = used.at(-1) ?? { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
    const spent = used.reduce((sum, usage) => sum + costOf(price, usage), 0n)
    const amount = spent + worstOf(price, last.inputTokens + last.outputTokens, next)
    if (!(await reserving.atLeast({ ...run, isRun: true }, amount)))
      throw paymentRequired(`The run may cost ${formatAmount(amount)} credits, which are not left`)
  }

  const reservations: Reservations = {
    of,
    explain: (run, wanted) => explain(run, wanted as Wanted),
    refused: (wanted) => reservationStore.listRefused(wanted as Wanted[]),
    take: (wanted, begun) => reservationStore.takeGiven(wanted as Wanted[], begun)
  }
  return { reservations, further }
}
