import { useQuery } from '@tanstack/react-query'
import type { KnownOfRun } from 'agent-platform/console'
import { api } from 'agent-platform/console'
import { balanceQuery } from './queries.ts'

/** What a run has cost so far. Nothing where nothing costs anything. */
export default function RunCost({ runId, isOpen, children }: KnownOfRun) {
  const balance = useQuery(balanceQuery)
  const cost = useQuery({
    queryKey: ['credits', 'run', runId, isOpen],
    async queryFn({ signal }) {
      let sum = 0
      const query = { runId, limit: 100 }
      for await (const { amount } of api.list('/v1/credits/ledger', { params: { query }, signal }))
        sum -= Number(amount)
      return sum
    },
    enabled: balance.data?.unlimited === false,
    refetchInterval: isOpen && 5_000
  })
  if (cost.data === undefined) return null
  return children('Cost', `${cost.data.toLocaleString('en', { maximumFractionDigits: 6 })} credits`)
}
