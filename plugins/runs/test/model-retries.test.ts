import t from 'tap'
import { createModelRetries } from '../execute/model-retries.ts'

const passing = { isPassing: true, waitMs: undefined }
const retries = ({
  hasWorked = false,
  left = 3_600_000,
  modelRetries = 2,
  modelPatienceSeconds = 300
} = {}) =>
  createModelRetries({ settings: { modelRetries, modelPatienceSeconds }, hasWorked, left: () => left })

t.test('waits as long as the provider asks, never less, and spreads', async (t) => {
  const waits = Array.from({ length: 50 }, () => retries()({ isPassing: true, waitMs: 40_000 }).afterMs ?? 0)
  t.ok(waits.every((it) => it >= 40_000 && it <= 41_000))
  t.ok(new Set(waits).size > 10, 'not all at the same moment')
})

t.test('gives up when the wait ends after the run, and reports that', async (t) => {
  t.same(retries({ left: 10_000 })({ isPassing: true, waitMs: 20_000 }), {
    afterMs: undefined,
    tooLong: true
  })
  t.same(retries({ left: 0 })(passing), { afterMs: undefined, tooLong: false })
})

t.test('does not repeat what a repetition cannot mend', async (t) => {
  t.same(retries({ hasWorked: true })({ isPassing: false, waitMs: 1_000 }), {
    afterMs: undefined,
    tooLong: false
  })
})

t.test('repeats the first call as often as the setting says', async (t) => {
  const next = retries()
  t.ok(next(passing).afterMs)
  t.ok(next(passing).afterMs)
  t.equal(next(passing).afterMs, undefined)
})

t.test('repeats longer, with growing pauses, after the run has called tools', async (t) => {
  const next = retries({ hasWorked: true })
  const waits = Array.from({ length: 12 }, () => next(passing).afterMs ?? 0)
  t.ok(waits.every((it) => it > 0 && it <= 30_000))
  t.ok((waits.at(-1) as number) >= 15_000)
  for (const settings of [{ modelRetries: 0 }, { modelPatienceSeconds: 0, modelRetries: 1 }]) {
    const short = retries({ hasWorked: true, ...settings })
    const made = Array.from({ length: 3 }, () => short(passing).afterMs).filter((it) => it !== undefined)
    t.equal(made.length, settings.modelRetries)
  }
})
