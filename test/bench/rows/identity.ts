import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { narrow } from 'agent-platform-client'
import type { Identity } from '../../../plugins/identity/test/testbed.ts'
import { personOf, tokensOf } from '../../../plugins/identity/test/testbed.ts'
import { createClient } from '../../client.ts'
import { cpuARequest, startLoad } from '../load.ts'
import { startPlatform } from '../platform.ts'
import { compare, ROUNDS, range } from '../rounds.ts'
import type { Measure } from '../row.ts'

/** Requests until everything that is hot is compiled. */
const WARM = 10_000

/** What the access token of a person, and a token that was narrowed from a key, cost against a project key, over the time for which all are believed. */
export const measure: Measure = async (scope, quick) => {
  let port = 0
  // Tokens are issued under an address that has to be known before the platform listens.
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  scope.teardown(() => way.close())
  const address = `http://127.0.0.1:${(way.address() as AddressInfo).port}`
  const load = await startLoad(scope)
  const ours = await startPlatform(
    scope,
    {},
    {
      packs: ['jobs', 'identity', 'access'],
      env: { BASE_URL: address }
    }
  )
  port = Number(new URL(ours.url).port)
  const identity = { address, url: ours.url, admin: createClient(ours.url, 'bench', ours.key) } as Identity
  await personOf(identity, 'ada@example.com')
  const { access_token: token } = await tokensOf(identity, 'ada@example.com')
  const how = {
    paths: ['/v1/auth/me'],
    connections: 32,
    requests: 4_000
  }
  const byToken = { ...ours, key: token }
  let narrowed = ours.key
  for (const tools of [['a', 'b'], ['b']]) narrowed = await narrow(narrowed, { tools })
  const byNarrowed = { ...ours, key: narrowed }
  for (const side of [ours, byToken, byNarrowed]) await load(side, { ...how, requests: WARM })
  const against = async (what: string, side: typeof ours) => {
    const { first, second, ratio, spread } = await compare(
      quick ? 10 : ROUNDS,
      () => cpuARequest(load, side, how),
      () => cpuARequest(load, ours, how)
    )
    return {
      what: `CPU of a GET by ${what}, against a project key`,
      reach: '≤ 1.2×',
      measured: `${ratio.toFixed(2)}× (${range(spread)}; ${first.toFixed(1)} / ${second.toFixed(1)} µs)`,
      met: ratio <= 1.2
    }
  }
  return [
    await against('an access token of a person', byToken),
    await against('a token that was narrowed from a key twice', byNarrowed)
  ]
}
