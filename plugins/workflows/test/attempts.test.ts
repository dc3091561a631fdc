import t from 'tap'
import type { StepRun } from '../contract.ts'
import { execute, executed, once, outline, stage, stepOf, transform, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, play } = scene
const failure = (code: string) => Object.assign(new Error(`It is ${code}`), { code })
const step = (fields: object = {}) => ({ id: 'work', type: 'again', ...fields })

t.test('a step that fails is tried again, later each time', async (t) => {
  const seen: Pick<StepRun, 'attempt' | 'key'>[] = []
  play.step = async ({ attempt, key }) => {
    seen.push({ attempt, key })
    if (attempt < 3) throw failure('busy')
    return { output: 'done' }
  }
  const execution = await executed(scene, [step({ retry: { attempts: 3, backoffSeconds: 0 } })])
  t.match(execution, { status: 'completed', output: { work: 'done' } })
  t.match(stepOf(execution, 'work'), { attempt: 3, error: null })
  t.same(
    seen.map(({ attempt }) => attempt),
    [1, 2, 3]
  )
  t.equal(new Set(seen.map(({ key }) => key)).size, 3, 'each attempt has a key of its own')

  const failed = await executed(scene, [step({ retry: { attempts: 2, backoffSeconds: 0 } })])
  t.match(failed, { status: 'failed', error: { code: 'busy' } })
  t.match(stepOf(failed, 'work'), { attempt: 2 })

  play.step = async ({ attempt }) => {
    if (attempt < 2) throw failure('busy')
    return { output: 'done' }
  }
  const workflow = await workflowOf(ada, [step({ retry: { attempts: 2, backoffSeconds: 1 } })])
  const waiting = await once(scene, ada, await execute(ada, workflow), ({ status }) => status === 'waiting')
  t.match(stepOf(waiting, 'work'), { attempt: 1, error: { code: 'busy' } })
  t.match(await once(scene, ada, waiting), { status: 'completed' })
})

t.test('an attempt has its time', async (t) => {
  let reason: unknown
  play.step = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
        reject(signal.reason)
      })
    })
  const execution = await executed(scene, [step({ timeoutSeconds: 1, retry: { attempts: 1 } })])
  t.match(execution, { status: 'failed', error: { code: 'timed_out', message: /1 s/ } })
  t.match(reason, { name: 'TimeoutError' })
  const inside = { steps: [{ id: 'wait', type: 'wait', config: { seconds: 3600 } }] }
  const around = await executed(scene, [{ id: 'both', type: 'parallel', config: inside, timeoutSeconds: 1 }])
  t.match(around, { status: 'failed', error: { code: 'timed_out' } })
  t.same(outline(around).sort(), ['both failed', 'both.wait cancelled'])
})

t.test('what was done is undone in reverse order when the execution fails', async (t) => {
  const done: unknown[] = []
  play.step = async ({ config, stepId }) => {
    if (config.n === 3) throw failure('broken')
    done.push([stepId, config.n])
    if (config.n === -2) throw failure('stuck')
    return { output: config.n }
  }
  const work = (id: string, n: number, fields: object = {}) => ({
    id,
    type: 'again',
    config: { n },
    compensation: { type: 'again', config: { n: `{{ -steps.${id}.output }}` } },
    ...fields
  })
  const execution = await executed(scene, [
    work('a', 1),
    work('b', 2, { dependsOn: ['a'] }),
    work('c', 3, { dependsOn: ['b'] })
  ])
  t.match(execution, { status: 'failed', error: { code: 'broken', message: /^c: / } })
  t.same(done, [
    ['a', 1],
    ['b', 2],
    ['b', -2],
    ['a', -1]
  ])
  t.same(outline(execution).sort(), [
    'a completed',
    'a.compensation completed',
    'b completed',
    'b.compensation failed',
    'c failed'
  ])
})

t.test('what is too large, unknown or wrong fails its step', async (t) => {
  const code = async (steps: readonly object[], fields: object = {}) =>
    (await executed(scene, steps, fields)).error?.code
  play.step = async () => ({ output: 'x'.repeat(262_144) })
  t.equal(await code([step()]), 'output_too_large')
  play.step = async () => ({ output: '\0\ud800 fine' })
  t.match(
    await executed(scene, [step()]),
    { output: { work: '\ufffd fine' } },
    'what no record takes is left out'
  )
  play.step = async () => ({ output: 1 })
  t.equal(await code([step({ config: { n: '{{ "one" }}' } })]), 'invalid_config')
  t.equal(
    await code([{ id: 'each', type: 'forEach', config: { items: '{{ 1 }}', steps: [step()] } }]),
    'invalid_config'
  )
  t.equal(
    await code([transform('a', 1)], { output: '{{ $toMillis(input.at) }}', input: { at: 'noon' } }),
    'expression_failed'
  )
})

t.test('a step waits while the platform has no room, without using an attempt', async (t) => {
  const refusal = { kind: 'rateLimited', headers: { 'retry-after': '1' } }
  let refusals = 2
  const attempts: number[] = []
  play.step = async ({ attempt }) => {
    attempts.push(attempt)
    if (refusals-- > 0) throw Object.assign(new Error('Rate limit exceeded'), refusal)
    return { output: 'done' }
  }
  const waiting = await once(
    scene,
    ada,
    await execute(ada, await workflowOf(ada, [step()])),
    ({ status }) => status === 'waiting'
  )
  t.match(stepOf(waiting, 'work'), { attempt: 1, error: { code: 'rateLimited' } }, 'why it waits is shown')
  t.match(await once(scene, ada, waiting), { status: 'completed', output: { work: 'done' } })
  t.same(attempts, [1, 1, 1])

  refusals = 1
  const once_ = await executed(scene, [step({ type: 'once' })])
  t.match(once_, { status: 'failed', error: { code: 'rateLimited' } }, 'what may have begun is not repeated')
  refusals = 1
  play.step = async () => {
    throw Object.assign(new Error('No more of these'), { kind: 'rateLimited', code: 'cap_reached' })
  }
  t.match(await executed(scene, [step()]), { status: 'failed', error: { code: 'cap_reached' } })
})

t.test('a step gets the whole output of a tool, or fails with the limit', async (t) => {
  const { id: agentId } = await ada.agent()
  await ada.post(`/v1/agents/${agentId}/tools`, { toolId: 'again' })
  const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: 'x'.repeat(160) }))
  const count = async (length: number) => {
    play.tool = async () => ({ output: { items: items(length) } })
    return executed(scene, [
      { id: 'get', type: 'tool', config: { agentId, tool: 'again' } },
      transform('count', '{{ $count(steps.get.output.items) }}', { dependsOn: ['get'] })
    ])
  }
  t.match(await count(300), { status: 'completed', output: { count: 300 } })
  t.match(await count(1_300), { status: 'completed', output: { count: 1_300 } })
  const failed = await count(2_000)
  t.match(failed, { status: 'failed', error: { code: 'output_too_large', message: /at most 262144/ } })
  t.match(stepOf(failed, 'count')?.status ?? 'none', /none|skipped|cancelled/)
  play.tool = async () => ({ output: 'x'.repeat(4_200_000) })
  const beyond = await executed(scene, [{ id: 'get', type: 'tool', config: { agentId, tool: 'again' } }])
  t.match(beyond, { status: 'failed', error: { code: 'output_too_large', message: /4194304/ } })
})
