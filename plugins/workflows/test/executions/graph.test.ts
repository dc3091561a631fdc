import t from 'tap'
import { ancestorsOf, lastOf, readinessOf } from '../../executions/graph.ts'
import type { StepRow } from '../../executions/journal.ts'
import type { Step } from '../../schemas/definition.ts'

const step = (id: string, fields: Partial<Step> = {}): Step => ({ id, type: 'transform', ...fields })
const row = (status: StepRow['status'], fields: Partial<StepRow> = {}) => ({ status, ...fields }) as StepRow
const readiness = (steps: readonly Step[], id: string, rows: Readonly<Record<string, StepRow>>) =>
  readinessOf(steps, id, (id) => rows[id])

t.test(
  'a step is ready when all before it have ended, and the execution comes along from one of them',
  async (t) => {
    const steps = [step('a'), step('b'), step('c', { dependsOn: ['a', 'b'] })]
    t.equal(readiness(steps, 'a', {}), 'ready')
    t.equal(readiness(steps, 'c', { a: row('completed') }), 'open')
    t.equal(readiness(steps, 'c', { a: row('completed'), b: row('waiting') }), 'open')
    t.equal(readiness(steps, 'c', { a: row('completed'), b: row('skipped') }), 'ready')
    t.equal(readiness(steps, 'c', { a: row('skipped'), b: row('skipped') }), 'skipped')
    t.same(lastOf(steps), [steps[2]])
    t.same([...ancestorsOf(steps, 'c')].sort(), ['a', 'b'])
  }
)

t.test('a branch that is not taken is skipped, whatever else comes before it', async (t) => {
  const steps = [
    step('if', { type: 'condition', config: { if: true, then: ['yes'], else: ['no'] } }),
    step('other'),
    step('yes', { dependsOn: ['if', 'other'] }),
    step('no', { dependsOn: ['other'] })
  ]
  const rows = { if: row('completed', { output: true }), other: row('completed') }
  t.equal(readiness(steps, 'yes', rows), 'ready')
  t.equal(readiness(steps, 'no', rows), 'skipped')
  t.equal(readiness(steps, 'no', { ...rows, if: row('skipped') }), 'skipped')
})

t.test('a step that takes care of failures runs for any of them, and for nothing else', async (t) => {
  const onError = { step: 'tell' }
  const steps = [
    step('a', { onError }),
    step('b', { dependsOn: ['a'], onError }),
    step('tell'),
    step('after', { dependsOn: ['b'] })
  ]
  const error = { code: 'no', message: 'No' }
  t.equal(readiness(steps, 'tell', { a: row('completed'), b: row('completed') }), 'skipped')
  t.equal(readiness(steps, 'tell', { a: row('failed', { error }), b: row('skipped') }), 'ready')
  t.equal(readiness(steps, 'tell', { a: row('completed'), b: row('failed', { error }) }), 'ready')
  t.equal(readiness(steps, 'after', { b: row('failed', { error }) }), 'skipped')
})
