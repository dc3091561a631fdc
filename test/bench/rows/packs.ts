import { cpuARequest, startLoad } from '../load.ts'
import { routesPack, thingsPack } from '../packs.ts'
import { startPlatform } from '../platform.ts'
import { compare } from '../rounds.ts'
import type { Measure } from '../row.ts'

const MANY = 100
/** Requests until everything that is hot is compiled. */
const WARM = 30_000

/** What packs that have nothing to do with a request add to it. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const few = await startPlatform(scope, thingsPack)
  const others = Array.from({ length: MANY - 1 }, (_, index) => routesPack(`other${index}`, 3))
  const many = await startPlatform(scope, Object.assign({}, thingsPack, ...others))
  const how = {
    paths: ['/v1/things/thing_01k4qz0000e0080000000000ab'],
    connections: 32,
    requests: 4_000
  }
  for (const side of [few, many]) await load(side, { ...how, requests: WARM })
  const { first, second, ratio, spread } = await compare(
    quick ? 20 : 60,
    () => cpuARequest(load, many, how),
    () => cpuARequest(load, few, how)
  )
  const more = (ratio - 1) * 100
  return [
    {
      what: `CPU of a request with ${MANY} packs, against one`,
      reach: 'within 5 %',
      measured: `${more >= 0 ? '+' : '−'}${Math.abs(more).toFixed(1)} % (${spread.map((it) => it.toFixed(2)).join('–')}; ${first.toFixed(1)} / ${second.toFixed(1)} µs)`,
      met: more <= 5
    }
  ]
}
