import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

/** All queries of credits: by `['credits']` all of them are read anew. */
export const ALL = ['credits'] as const

export const balanceQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: async ({ signal }) => (await api.get('/v1/credits/balance', { signal })).data,
  refetchInterval: 15_000
})

export type Grouping = 'agent' | 'model' | 'tool' | 'day'

/** What the last 30 days cost. */
export const summaryQuery = (by: Grouping) =>
  queryOptions({
    queryKey: ['credits', 'summary', by],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/credits/summary', { params: { query: { by } }, signal })).data,
    refetchInterval: 30_000
  })

/** The days of a time, the first to the last, with what each of them cost. */
export function daysOf({
  from,
  to,
  groups
}: {
  from: string
  to: string
  groups: readonly { key: string | null; spent: string }[]
}): { day: string; spent: number }[] {
  const spent = new Map(groups.map((group) => [group.key, Number(group.spent)]))
  const days: { day: string; spent: number }[] = []
  const last = Date.parse(to.slice(0, 10))
  for (let at = Date.parse(from.slice(0, 10)); at <= last; at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, spent: spent.get(day) ?? 0 })
  }
  return days
}
