import t from 'tap'
import { firstIdAt, newId, timeOfId, uuidOfId } from './ids.ts'
import { currentTrace, readTraceparent, spanIdOf, traced, traceIdOf } from './trace.ts'

t.test('an identifier tells when it was made, and its UUID', async (t) => {
  const before = Date.now()
  const id = newId('run')
  t.ok(timeOfId(id) >= before && timeOfId(id) <= Date.now() + 1)
  t.ok(firstIdAt('run', timeOfId(id)) <= id && firstIdAt('run', timeOfId(id) + 1) > id)
  t.match(uuidOfId(id), /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  t.ok(Number.isNaN(timeOfId('run_nope')))
  t.equal(uuidOfId('run_nope'), undefined)
  t.equal(traceIdOf(id), uuidOfId(id))
  t.equal(spanIdOf(id), uuidOfId(id)?.slice(16))
})

t.test('a traceparent that is none is not taken for one', async (t) => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  t.same(readTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId })
  for (const wrong of [
    undefined,
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01\r\nx: y`
  ])
    t.equal(readTraceparent(wrong), undefined, String(wrong))
  t.equal(await traced('a', async () => traced(undefined, currentTrace) ?? currentTrace()), 'a')
  t.equal(currentTrace(), undefined)
})
