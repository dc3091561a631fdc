import t from 'tap'
import { waitOf } from '../../failures/retry-after.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const wait = (headers: Record<string, string>, error?: object, status = 429) =>
  waitOf({ status, headers, error }, NOW)
const near = (t: { ok: (it: boolean, name: string) => unknown }, got: number | undefined, expected: number) =>
  t.ok(got !== undefined && Math.abs(got - expected) < 1, `${got} is ${expected}`)

t.test('reads every form of Retry-After', async (t) => {
  for (const [value, expected] of [
    ['7', 7_000],
    ['0', 0],
    ['1.5', 1_500],
    ['Sun, 29 Nov 2026 12:00:03 GMT', 3_000],
    ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
    ['2026-11-29T12:01:00Z', 60_000],
    ['20s', 20_000],
    ['-3', 0]
  ] as const)
    near(t, wait({ 'retry-after': value }), expected)
  near(t, wait({ 'retry-after-ms': '1250', 'retry-after': '9' }), 1_250)
  near(t, wait({ 'x-ms-retry-after-ms': '800' }), 800)
  for (const value of ['', 'soon', 'NaN', 'Infinity'])
    t.equal(wait({ 'retry-after': value }), undefined, value)
  t.ok((wait({ 'retry-after': '1e300' }) ?? 0) < 1e10, 'bounded')
})

t.test('reads RetryInfo and the quota of Google', async (t) => {
  const info = (retryDelay: unknown) => ({ details: [{ '@type': 'x' }, { retryDelay }] })
  near(t, wait({}, info('45.837906927s')), 45_837.9)
  near(t, wait({}, info({ seconds: '12' })), 12_000)
  near(t, wait({}, { details: [{ metadata: { quotaResetDelay: '373.801628ms' } }] }), 373.8)
  t.equal(wait({}, info('whenever')), undefined)
})

t.test('reads resets of rate limits: of the limit that is used up, else the first', async (t) => {
  near(t, wait({ 'x-ratelimit-reset-requests': '1m30s' }), 90_000)
  near(t, wait({ 'x-ratelimit-reset': '42' }), 42_000)
  near(t, wait({ 'x-ratelimit-reset': String(NOW / 1_000 + 5) }), 5_000)
  near(t, wait({ 'x-ratelimit-reset': String(NOW + 2_500) }), 2_500)
  near(t, wait({ 'anthropic-ratelimit-tokens-reset': '2026-11-29T12:00:30Z' }), 30_000)
  const both = { 'x-ratelimit-reset-requests': '2s', 'x-ratelimit-reset-tokens': '6m0s' }
  near(t, wait(both), 2_000)
  near(t, wait({ ...both, 'x-ratelimit-remaining-tokens': '0' }), 360_000)
  near(t, wait({ ...both, 'retry-after': '1' }), 1_000)
  t.equal(wait(both, undefined, 400), undefined, 'only where a limit is what was said')
  const behind = {
    metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 9_000), 'X-RateLimit-Remaining': '0' } }
  }
  near(t, wait({}, behind), 9_000)
})

t.test('reads waits in words', async (t) => {
  near(t, wait({}, { message: 'Limit 3. Please try again in 1m2.5s. Visit us.' }), 62_500)
  near(t, wait({}, { message: 'Please retry in 26.660853464s.' }), 26_660.8)
  near(t, wait({}, { message: 'Please retry after 30 seconds' }), 30_000)
  near(t, wait({}, { message: 'Try again in 250ms' }), 250)
  t.equal(wait({}, { message: 'Try again in a while' }), undefined)
})
