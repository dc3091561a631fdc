import type { Principal } from 'agent-platform'
import { invalid, trimEndOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { UsageItem, UsageQuery, UsageReport, UsageSum } from '../schemas/usage.ts'
import type { Counted, Group, Interval, SumRow, UsageStore } from '../stores/usage.ts'
import { groups } from '../stores/usage.ts'

export type UsageService = ReturnType<typeof createUsageService>

interface Deps {
  agents: Agents
  sessions: Sessions
  usageStore: UsageStore
}

/** Sums of a report, at most. */
const MOST = 20_000
const DAY_MS = 86_400_000
const lengths: Readonly<Record<Interval, number>> = {
  hour: DAY_MS / 24,
  day: DAY_MS,
  month: 28 * DAY_MS,
  all: Number.POSITIVE_INFINITY
}

/** What was used, and what it cost. */
export function createUsageService({ agents, sessions, usageStore }: Deps) {
  async function ofAgent(by: Principal, agentId: string, query: UsageQuery): Promise<UsageReport> {
    await agents.owned(by, agentId, 'read')
    return report(by, { agentId }, query)
  }

  /** Since it began, where the query does not say since when. */
  async function ofSession(by: Principal, sessionId: string, query: UsageQuery): Promise<UsageReport> {
    const { createdAt } = await sessions.owned(by, sessionId, 'read')
    return report(by, { sessionId }, { from: createdAt, interval: 'all', ...query })
  }

  const ofAll = (by: Principal, query: UsageQuery): Promise<UsageReport> => report(by, { by }, query)

  async function report({ project }: Principal, of: Counted, query: UsageQuery): Promise<UsageReport> {
    const { interval = 'day', groupBy } = query
    const now = new Date()
    const to = query.to === undefined ? now : new Date(query.to)
    // With the day that it begins in, whose sum is known.
    const begin = new Date(Math.floor(to.getTime() / DAY_MS - 30) * DAY_MS)
    const from = query.from === undefined ? begin : new Date(query.from)
    if (from > to) throw invalid('from', 'from must not be after to')
    if ((to.getTime() - from.getTime()) / lengths[interval] > 1_100)
      throw invalid('interval', `From then to then there are too many times for the interval "${interval}"`)
    // Nothing was used later, and days are counted up to that, which a database could not hold.
    const until = new Date(Math.min(to.getTime(), now.getTime() + DAY_MS))
    const rows = await usageStore.list(
      { project, of, from, to: until, untilNow: to >= now, interval, by: groupsOf(groupBy) },
      MOST + 1
    )
    if (rows.length > MOST)
      throw invalid('groupBy', `More than ${MOST} sums: ask for a shorter time or fewer groups`)
    const items = itemsOf(rows)
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      interval,
      currency: 'credits',
      total: sumOf(rows),
      items
    }
  }

  return { ofAgent, ofSession, ofAll }
}

function groupsOf(given: string | undefined): readonly Group[] {
  const names = given === undefined || given === '' ? [] : given.split(',')
  for (const name of names)
    if (!(groups as readonly string[]).includes(name))
      throw invalid('groupBy', `groupBy must be some of ${groups.join(', ')}, with commas between them`)
  return names as Group[]
}

const keyOf = ({ start, agentId, sessionId, provider, name, kind }: SumRow) =>
  JSON.stringify([start, agentId, sessionId, provider, name, name !== undefined && kind])

/** Calls of models and of tools are one item, unless they are told apart. */
function itemsOf(rows: readonly SumRow[]): UsageItem[] {
  return [...Map.groupBy(rows, keyOf).values()].map((together) => {
    const { start, agentId, sessionId, kind, provider, name } = together[0] as SumRow
    return {
      start: start === null ? null : new Date(start).toISOString(),
      agentId: agentId ?? null,
      sessionId: sessionId ?? null,
      modelProvider: (kind === 'model' && provider) || null,
      modelId: (kind === 'model' && name) || null,
      toolName: (kind === 'tool' && name) || null,
      ...sumOf(together)
    }
  })
}

function sumOf(rows: readonly SumRow[]): UsageSum {
  const sum = { ...nothing }
  let cost = 0
  let isPriced = false
  for (const row of rows) {
    const isModel = row.kind === 'model'
    sum[isModel ? 'modelCalls' : 'toolCalls'] += row.calls
    if (!isModel) sum.toolErrors += row.errors
    else {
      sum.unpricedModelCalls += row.unpriced
      sum.estimatedModelCalls += row.estimated
    }
    sum.inputTokens += row.inputTokens
    sum.cachedTokens += row.cachedTokens
    sum.outputTokens += row.outputTokens
    cost += row.cost
    isPriced ||= row.calls > row.unpriced
  }
  return { ...sum, cost: isPriced ? decimalOf(cost) : null }
}

const nothing = {
  modelCalls: 0,
  toolCalls: 0,
  toolErrors: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  unpricedModelCalls: 0,
  estimatedModelCalls: 0
}

/** Of millionths. */
function decimalOf(millionths: number): string {
  const part = trimEndOf(String(millionths % 1_000_000).padStart(6, '0'), '0')
  return `${Math.floor(millionths / 1_000_000)}${part && `.${part}`}`
}
