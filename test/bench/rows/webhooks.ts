import { costOf } from '../cost.ts'
import { startLoad } from '../load.ts'
import { startPlatform } from '../platform.ts'
import { median, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

const RATE = 200
const REACH = 25

/** Deliveries to a webhook, each of which begins an execution of one step. */
export const measure: Measure = async (scope, quick) => {
  const served = await startPlatform(scope, {}, { packs: [...PACKS, 'workflows'] })
  const api = createApi(served)
  const steps = [{ id: 'take', type: 'transform', config: { value: '{{ input }}' } }]
  const { id } = await api.post('/v1/workflows', { name: 'bench', definition: { steps } })
  const { token } = await api.post(`/v1/workflows/${id}/webhook-token`, {})
  const load = await startLoad(scope)
  const deliver = (seconds: number) =>
    load(
      { ...served, key: '' },
      {
        paths: [`/v1/workflows/webhooks/${token}`],
        bodies: [{ type: 'ticket.created', data: { id: 7, text: 'It is broken' } }],
        connections: 32,
        requests: RATE * seconds,
        rate: RATE
      }
    )
  await deliver(quick ? 2 : 5)
  const rounds: Awaited<ReturnType<typeof deliver>>[] = []
  const { server } = await costOf(served, async () => {
    for (let round = 0; round < (quick ? 2 : 5); round++) rounds.push(await deliver(quick ? 5 : 20))
    return rounds.reduce((sum, { requests }) => sum + requests, 0)
  })
  const failed = rounds.find((it) => it.failed > 0)
  if (failed) throw new Error(`${failed.failed} deliveries failed: ${failed.failure}`)
  const p99 = rounds.map((it) => it.p99)
  const p50 = median(rounds.map((it) => it.p50))
  return [
    {
      what: `a webhook is accepted, ${RATE} a second: p99 from when it was due`,
      reach: `≤ ${REACH} ms`,
      measured: `${median(p99).toFixed(1)} ms (${range([Math.min(...p99), Math.max(...p99)])}; p50 ${p50.toFixed(1)} ms; CPU of the server, with the execution, ${Math.round(server)} µs)`,
      met: median(p99) <= REACH
    }
  ]
}
