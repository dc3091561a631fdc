import { cpuARequest, startLoad } from '../load.ts'
import { thingsPack } from '../packs.ts'
import { startBare, startPlatform } from '../platform.ts'
import { compare } from '../rounds.ts'
import type { Measure } from '../row.ts'

/** Requests until everything that is hot is compiled. */
const WARM = 30_000

/** What credential, scope, limit, validation and envelope add to a request. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const bare = await startBare(scope)
  const ours = await startPlatform(scope, thingsPack)
  const how = {
    paths: ['/v1/things/thing_01k4qz0000e0080000000000ab'],
    connections: 32,
    requests: 4_000
  }
  for (const side of [bare, ours]) await load(side, { ...how, requests: WARM })
  const { first, second, ratio, spread } = await compare(
    quick ? 20 : 60,
    () => cpuARequest(load, bare, how),
    () => cpuARequest(load, ours, how)
  )
  const range = spread.map((it) => it.toFixed(2)).join('–')
  return [
    {
      what: 'CPU of an authenticated, scoped, rate-limited GET: bare Fastify / platform',
      reach: '≥ 0.88',
      measured: `${ratio.toFixed(3)} (${range}; ${first.toFixed(1)} / ${second.toFixed(1)} µs)`,
      met: ratio >= 0.88
    }
  ]
}
