import t from 'tap'
import { executed, outline, stage, stepOf, transform } from './testbed.ts'

const scene = await stage(t)
const { play } = scene

t.test('steps run after those that they depend on, and see what these gave', async (t) => {
  const execution = await executed(
    scene,
    [
      transform('a', '{{ input.n + 1 }}'),
      transform('b', { twice: '{{ steps.a.output * 2 }}' }, { dependsOn: ['a'] }),
      transform('c', '{{ steps.a.output & "!" }}', { dependsOn: ['a'] }),
      transform('d', ['{{ steps.b.output.twice }}', '{{ steps.c.output }}'], { dependsOn: ['b', 'c'] })
    ],
    { input: { n: 1 } }
  )
  t.match(execution, { status: 'completed', output: { d: [4, '2!'] }, error: null, input: { n: 1 } })
  t.same(outline(execution).sort(), ['a completed', 'b completed', 'c completed', 'd completed'])
})

t.test('a condition chooses a branch; what comes after both goes on', async (t) => {
  const steps = [
    { id: 'large', type: 'condition', config: { if: '{{ input.n > 5 }}', then: ['yes'], else: ['no'] } },
    transform('yes', 'large'),
    transform('no', 'small'),
    transform('after_no', 1, { dependsOn: ['no'] }),
    transform('join', '{{ [steps.yes.output, steps.no.output] }}', { dependsOn: ['yes', 'no'] })
  ]
  const large = await executed(scene, steps, { input: { n: 7 } })
  t.match(large, { status: 'completed', output: { join: ['large', null] } })
  t.same(outline(large).sort(), [
    'after_no skipped',
    'join completed',
    'large completed',
    'no skipped',
    'yes completed'
  ])
  t.match(await executed(scene, steps, { input: { n: 1 } }), {
    output: { after_no: 1, join: [null, 'small'] }
  })
  t.match(await executed(scene, steps, { input: { n: {} } }), {
    status: 'failed',
    error: { code: 'expression_failed', message: /^large: / }
  })
})

t.test('parallel steps and items have a scope of their own, and their outputs come together', async (t) => {
  const execution = await executed(
    scene,
    [
      transform('base', 10),
      {
        id: 'both',
        type: 'parallel',
        dependsOn: ['base'],
        config: {
          steps: [
            transform('left', '{{ steps.base.output + 1 }}'),
            transform('right', '{{ steps.base.output - 1 }}')
          ]
        }
      },
      {
        id: 'each',
        type: 'forEach',
        dependsOn: ['both'],
        config: {
          items: '{{ input.words }}',
          concurrency: 2,
          steps: [
            transform('upper', '{{ $uppercase(item) }}'),
            transform(
              'numbered',
              '{{ $string(index) & steps.upper.output & $string(steps.both.output.left) }}',
              {
                dependsOn: ['upper']
              }
            )
          ],
          output: '{{ steps.numbered.output }}'
        }
      },
      { id: 'none', type: 'forEach', config: { items: [], concurrency: 1, steps: [transform('never', 1)] } }
    ],
    { input: { words: ['a', 'b', 'c'] } }
  )
  t.match(execution, { status: 'completed', error: null })
  t.same(stepOf(execution, 'both')?.output, { left: 11, right: 9 })
  t.same(stepOf(execution, 'each')?.output, ['0A11', '1B11', '2C11'])
  t.same(stepOf(execution, 'none')?.output, [])
  t.equal(stepOf(execution, 'each[2].upper')?.output, 'C')
  t.same(stepOf(execution, 'each')?.input, { items: ['a', 'b', 'c'], concurrency: 2 })
})

t.test('items run so many at a time', async (t) => {
  let now = 0
  let most = 0
  let wanted = 2
  let together = Promise.withResolvers<void>()
  play.step = async () => {
    most = Math.max(most, ++now)
    if (now === wanted) together.resolve()
    await together.promise
    // More than that would come meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20))
    now--
    return { output: null }
  }
  const each = { items: [1, 2, 3, 4, 5], concurrency: 2, steps: [{ id: 'one', type: 'again' }] }
  await executed(scene, [{ id: 'each', type: 'forEach', config: each }])
  t.equal(most, 2)
  wanted = 3
  together = Promise.withResolvers()
  await executed(
    scene,
    [1, 2, 3].map((n) => ({ id: `step${n}`, type: 'again', config: { n } }))
  )
  t.equal(most, 3, 'steps that do not depend on each other run at the same time')
})

t.test('a failure ends the execution, is passed over, or is taken care of', async (t) => {
  play.step = async ({ config }) => {
    if (config.n === 1) throw Object.assign(new Error('Out of paper'), { code: 'no_paper' })
    return { output: config }
  }
  const broken = (onError?: unknown) => ({
    id: 'print',
    type: 'again',
    config: { n: 1 },
    ...(onError !== undefined && { onError })
  })
  const after = transform('after', '{{ steps.print.output }}', { dependsOn: ['print'] })

  const failed = await executed(scene, [broken(), after])
  t.match(failed, {
    status: 'failed',
    output: null,
    error: { code: 'no_paper', message: 'print: Out of paper' }
  })
  t.same(outline(failed), ['print failed'])

  const passed = await executed(scene, [broken('continue'), after])
  t.match(passed, { status: 'completed', output: { after: null } })
  t.match(stepOf(passed, 'print'), { status: 'failed', error: { code: 'no_paper' }, output: null })

  const steps = [
    broken({ step: 'tell' }),
    after,
    transform('tell', '{{ steps.print.error.code }}'),
    transform('told', '{{ steps.tell.output }}', { dependsOn: ['tell'] })
  ]
  const handled = await executed(scene, steps)
  t.match(handled, { status: 'completed', output: { told: 'no_paper' } })
  t.equal(stepOf(handled, 'after')?.status, 'skipped')
  play.step = async () => ({ output: 'printed' })
  const fine = await executed(scene, steps)
  t.match(fine, { status: 'completed', output: { after: 'printed' } })
  t.equal(stepOf(fine, 'tell')?.status, 'skipped')
})

t.test('a failure inside ends what is around it, and what is under way there', async (t) => {
  play.step = async ({ config, signal }) => {
    if (config.n === 1) throw Object.assign(new Error('No'), { code: 'no' })
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    return { output: null }
  }
  const inside = {
    steps: [
      { id: 'bad', type: 'again', config: { n: 1 } },
      { id: 'slow', type: 'again', config: { n: 2 } }
    ]
  }
  const execution = await executed(scene, [
    { id: 'both', type: 'parallel', config: inside, onError: 'continue' },
    transform('after', 1, { dependsOn: ['both'] })
  ])
  t.match(execution, { status: 'completed', output: { after: 1 } })
  t.match(stepOf(execution, 'both'), { status: 'failed', error: { code: 'no', message: 'both.bad: No' } })
  t.match(stepOf(execution, 'both.slow'), { status: 'failed', error: { code: 'outcome_unknown' } })
})
