import { paymentRequired, unavailable } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { CallUsage, Gate, NextCall, Reservations, RunInfo } from '../../runs/contract.ts'
import { formatAmount } from '../amounts.ts'
import type { CreditSettings } from '../settings.ts'
import { counts } from '../stores/caps.ts'
import type { Price } from '../stores/prices.ts'
import type { ReservationStore, Wanted } from '../stores/reservations.ts'
import type { Known } from './known.ts'
import { costOf, priceOf, targetsOfModel, worstOf } from './pricing.ts'
import type { Projects } from './projects.ts'
import type { Reserving } from './reserving.ts'

/** For so long an account that had too little is asked before its runs go to their model. */
const SHORT_MS = 60_000
/** For what packs add to a prompt, such as memories. */
const ADDED_TOKENS = 500

interface Deps {
  known: Known
  settings: CreditSettings
  projects: Projects
  reservationStore: ReservationStore
  reserving: Reserving
}

/** For a call of a model, which may have no price, or for more. */
interface Reserved extends NextCall {
  readonly amount: bigint
  readonly price: Price | undefined
}

/** Runs have what they may cost reserved before they begin, and before each further call of their model. */
export function createRunGate(deps: Deps): Gate {
  const { known, settings, projects, reservationStore, reserving } = deps
  const short = new LRUCache<string, true>({ max: 10_000, ttl: SHORT_MS })
  /** Of runs that begin or go on here. */
  const reserved = new LRUCache<string, Reserved>({ max: 10_000 })

  async function priceFor({ project }: RunInfo, { modelProvider, modelId }: NextCall) {
    const price = priceOf(await known.prices(project), 'model', targetsOfModel(modelProvider, modelId))
    if (!price && settings.unpriced === 'refuse')
      throw unavailable(`The model ${modelProvider}/${modelId} has no price`, { code: 'price_missing' })
    return price
  }

  const mostOf = (price: Price, inputTokens: number, next: NextCall): bigint =>
    worstOf(price, { ...next, inputTokens }, settings.replyTokens)

  async function of(run: RunInfo, first: NextCall): Promise<Wanted | undefined> {
    const { project, id, owner, agentId, sessionId } = run
    if (!projects.cost(project)) return undefined
    const price = await priceFor(run, first)
    const call = { ...first, inputTokens: first.inputTokens + ADDED_TOKENS }
    const amount = price ? mostOf(price, call.inputTokens, call) : 0n
    reserved.set(id, { ...call, amount, price })
    if (amount === 0n) return undefined
    const accountId = await known.account(project, owner)
    const ofOwner = (await known.caps(project, owner)).filter((cap) => counts(cap, run))
    const caps = [...ofOwner.map((cap) => cap.id), ...(await known.tokenCaps(run.by))]
    const wanted = {
      id,
      project,
      owner,
      accountId,
      amount: String(amount),
      caps,
      agentId,
      sessionId,
      modelProvider: first.modelProvider,
      modelId: first.modelId
    }
    // Its model would be asked before the record refuses it; of a token that is used up, each time.
    if (short.has(accountId) || run.by.attenuation?.spend) {
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

  /** What it used is kept for it, and what its next call may cost. */
  async function further(run: RunInfo, next: NextCall, used: readonly CallUsage[]): Promise<void> {
    if (!projects.cost(run.project)) return
    const price = await priceFor(run, next)
    if (!price) return
    const amount = needOf(price, next, used)
    if (!(await reserving.atLeast({ ...run, isRun: true }, amount)))
      throw paymentRequired(`The run may cost ${formatAmount(amount)} credits, which are not left`)
    reserved.set(run.id, { ...next, amount, price })
  }

  /** All that it used, and what its next call costs at worst: its last prompt comes again with what it said. */
  function needOf(price: Price, next: NextCall, used: readonly CallUsage[]): bigint {
    const last = used.at(-1)
    const spent = used.reduce((sum, usage) => sum + costOf(price, usage), 0n)
    const again = last ? last.inputTokens + last.outputTokens : 0
    return spent + mostOf(price, Math.max(next.inputTokens, again), next)
  }

  /** By the price of then, where its model is the same. */
  function covers({ project, id }: RunInfo, next: NextCall, used: readonly CallUsage[]): boolean {
    if (!projects.cost(project)) return true
    const known = reserved.get(id)
    if (known?.modelProvider !== next.modelProvider || known.modelId !== next.modelId) return false
    const isFirst = used.length === 0 && known.outputTokens === next.outputTokens
    if (isFirst && next.inputTokens <= known.inputTokens) return true
    return !known.price || needOf(known.price, next, used) <= known.amount
  }

  const reservations: Reservations = {
    of,
    explain: (run, wanted) => explain(run, wanted as Wanted),
    ahead: (wanted) => reservationStore.listWanted(wanted as Wanted[]),
    refused: (wanted) => reservationStore.listRefused(wanted as Wanted[]),
    take: (wanted, begun) => reservationStore.takeGiven(wanted as Wanted[], begun)
  }
  return { reservations, further, covers, countsSpend: projects.cost }
}
