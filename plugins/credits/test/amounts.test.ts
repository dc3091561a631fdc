import fc from 'fast-check'
import t from 'tap'
import { formatAmount, fromMillions, MICRO, MOST, parseAmount } from '../amounts.ts'
import { costOf } from '../services/pricing.ts'

const amount = fc.bigInt({ min: 0n, max: MOST })

t.test('amounts are read as they are written', async () => {
  fc.assert(fc.property(amount, (one) => parseAmount(formatAmount(one)) === one))
  fc.assert(fc.property(amount, (one) => one === 0n || formatAmount(-one) === `-${formatAmount(one)}`))
})

t.test('what is none is refused', async (t) => {
  for (const text of [
    '',
    '-1',
    '+1',
    '1.',
    '.5',
    '1e3',
    '1,5',
    ' 1',
    '1.0000001',
    '1000000001',
    '0x10',
    '１',
    'NaN'
  ])
    t.equal(parseAmount(text), undefined, text)
  t.equal(parseAmount('0012.500000'), 12_500_000n)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parsed = parseAmount(text)
      return parsed === undefined || (parsed >= 0n && parsed <= MOST)
    })
  )
})

t.test('a charge is never less than its price, and less than a millionth more', async () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (total) => {
      const rounded = fromMillions(total) * MICRO
      return rounded >= total && rounded < total + MICRO
    })
  )
})

t.test('cached tokens are charged by their own price, and more never costs less', async () => {
  const price = fc.bigInt({ min: 0n, max: 100n * MICRO })
  const tokens = fc.nat(10_000_000)
  const prices = fc.record({ input: price, cached: price, output: price })
  const make = (of: { input: bigint; cached: bigint; cacheWrite?: bigint; output: bigint }) =>
    ({
      cacheWrite: of.input,
      ...of,
      project: 'p',
      id: 'price_1',
      owner: 'o',
      kind: 'model',
      target: '*',
      call: 0n,
      createdAt: ''
    }) as const
  fc.assert(
    fc.property(prices, tokens, tokens, tokens, (of, inputTokens, cachedTokens, outputTokens) => {
      const usage = { inputTokens, cachedTokens, outputTokens }
      const cost = costOf(make(of), usage)
      const cached = Math.min(cachedTokens, inputTokens)
      const exact =
        BigInt(inputTokens - cached) * of.input +
        BigInt(cached) * of.cached +
        BigInt(outputTokens) * of.output
      return (
        cost === fromMillions(exact) &&
        cost <= costOf(make(of), { ...usage, outputTokens: outputTokens + 1 }) &&
        costOf(make({ input: 0n, cached: 0n, output: 0n }), usage) === 0n
      )
    })
  )
  const written = make({ input: 1_000_000n, cached: 100_000n, cacheWrite: 1_250_000n, output: 0n })
  const usage = { inputTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 0 }
  t.equal(costOf(written, usage), fromMillions(100n * 1_000_000n + 600n * 100_000n + 300n * 1_250_000n))
  const nonsense = { ...usage, cacheWriteTokens: 5_000 }
  t.equal(
    costOf(written, nonsense),
    fromMillions(600n * 100_000n + 400n * 1_250_000n),
    'no more than the input'
  )
})

t.test('whatever a provider tells of tokens comes to an amount', async (t) => {
  const price = {
    project: 'p',
    id: 'price_1',
    owner: 'o',
    kind: 'model',
    target: '*',
    createdAt: ''
  } as const
  const most = { ...price, input: MOST, cached: MOST, cacheWrite: MOST, output: MOST, call: 0n }
  for (const tokens of [Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])
    t.equal(costOf(most, { inputTokens: tokens, cachedTokens: tokens, outputTokens: tokens }), MOST)
  for (const tokens of [-5, Number.NaN, 0.5])
    t.equal(costOf(most, { inputTokens: tokens, cachedTokens: tokens, outputTokens: tokens }), 0n)
})
