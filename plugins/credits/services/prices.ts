import type { Kernel, Principal } from 'agent-platform'
import { invalid, pageOf } from 'agent-platform'
import { formatAmount } from '../amounts.ts'
import type { Credits } from '../contract.ts'
import { amountOf, shown } from '../schemas/amount.ts'
import type { NewPrice, PriceQuery, Price as Shown } from '../schemas/prices.ts'
import type { Price, PriceStore } from '../stores/prices.ts'
import type { Known } from './known.ts'
import { costOf, priceOf, targetsOfModel, targetsOfTool } from './pricing.ts'

export type PriceService = ReturnType<typeof createPriceService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  known: Known
  priceStore: PriceStore
}

/** What models and tools cost in a project. */
export function createPriceService({ known, transaction, facts, priceStore }: Deps) {
  async function set(by: Principal, { kind, target, ...given }: NewPrice): Promise<Shown> {
    const { project, owner } = by
    const wrong =
      kind === 'model' ? (['call'] as const) : (['input', 'cached', 'cacheWrite', 'output'] as const)
    for (const name of wrong)
      if (given[name] !== undefined) throw invalid(`/${name}`, `A ${kind} has no price of that kind`)
    if (kind !== 'tool' && target !== '*' && !/^[^/]+\/.+$/.test(target))
      throw invalid('/target', '/target must be provider/model, provider/* or *')
    const { input = '0', output = '0', call = '0', cached = input, cacheWrite = input } = given
    const amounts = {
      input: amountOf(input, '/input', { zero: true }),
      cached: amountOf(cached, '/cached', { zero: true }),
      cacheWrite: amountOf(cacheWrite, '/cacheWrite', { zero: true }),
      output: amountOf(output, '/output', { zero: true }),
      call: amountOf(call, '/call', { zero: true })
    }
    const made = await transaction(async (trx) => {
      const price = await priceStore.insert(trx, { project, owner, kind, target, ...amounts })
      const { isCurrent: _, ...data } = shownOf(price, true)
      await facts.record(trx, 'credits.price_set', by, { subject: price.id, owner, data })
      return price
    })
    known.pricesChanged(project)
    return shownOf(made, true)
  }

  async function list({ project }: Principal, { kind, target, versions = false, ...page }: PriceQuery) {
    const seen = new Set<string>()
    const all = (await priceStore.list(project)).map((price) => {
      const isCurrent = !seen.has(`${price.kind} ${price.target}`)
      seen.add(`${price.kind} ${price.target}`)
      return shownOf(price, isCurrent)
    })
    const wanted = all.filter(
      (price) =>
        (versions || price.isCurrent) &&
        (kind === undefined || price.kind === kind) &&
        (target === undefined || price.target === target)
    )
    return pageOf('prices', wanted, page)
  }

  const costs: Credits['costs'] = async (trx, project, used) => {
    const versions = await priceStore.list(project, trx)
    return used.map((it) => {
      if ('toolName' in it) {
        const price = priceOf(versions, 'tool', targetsOfTool(it.toolName), it.at)
        return price ? formatAmount(price.call) : null
      }
      const price = priceOf(versions, 'model', targetsOfModel(it.modelProvider, it.modelId), it.at)
      return price ? formatAmount(costOf(price, it.usage)) : null
    })
  }

  return { set, list, costs }
}

const shownOf = (
  { project: _, input, cached, cacheWrite, output, call, ...price }: Price,
  isCurrent: boolean
): Shown => ({
  ...price,
  input: shown(input),
  cached: shown(cached),
  cacheWrite: shown(cacheWrite),
  output: shown(output),
  call: shown(call),
  isCurrent
})
