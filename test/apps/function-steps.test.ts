import t from 'tap'
import { execute, executed, once, stepOf, workflowOf } from '../../plugins/workflows/test/testbed.ts'
import { gate, refuses, stage } from './functions.ts'

const { booted, probe, install, agentWith, kill, ada, eve } = await stage(t, ['workflows'])
const scene = { booted, ada }

const input = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false }
const act = 'await context.platform.probe.act({}); return input.n'
const functions = { double: 'return input.n * 2', once: act, again: act, hidden: act }
await install(ada, 'step-app', functions, {
  double: { input },
  again: { idempotent: true },
  hidden: { tool: false }
})
const step = (id: string, name: string, given?: object, fields: object = {}) => {
  const config = { app: 'step-app', function: name, ...(given && { input: given }) }
  return { id, type: 'app', config, ...fields }
}

/** What was used up, by what is metered of apps. */
const amountsOf = (usage: readonly { meter: string; quantity: string }[]): Record<string, string> =>
  Object.fromEntries(usage.map(({ meter, quantity }) => [meter.replace('app.', ''), quantity]))
const usedOf = (execution: Parameters<typeof stepOf>[0], id: string) =>
  amountsOf(stepOf(execution, id)?.usage ?? [])

t.test('a workflow executes functions, as steps and as tools', async (t) => {
  const { id: agentId } = await agentWith(ada, 'step-app__double')
  const steps = [
    step('first', 'double', { n: '{{ input.n }}' }),
    {
      id: 'second',
      type: 'tool',
      dependsOn: ['first'],
      config: { agentId, tool: 'step-app__double', args: { n: '{{ steps.first.output }}' } }
    }
  ]
  const execution = await executed(scene, steps, { input: { n: 5 } })
  t.match(execution, { status: 'completed' })
  t.equal(stepOf(execution, 'first')?.output, 10)
  t.equal(stepOf(execution, 'second')?.output, 20)

  const used = usedOf(execution, 'first')
  t.same(Object.keys(used).sort(), ['calls', 'characters', 'cpuMs', 'functionCalls'])
  t.match(used, { calls: '1', functionCalls: '1' })
  t.same(stepOf(execution, 'second')?.usage, [], 'what a tool took is in the record of its call')
  const { body } = await ada.get(`/v1/tools/calls?agentId=${agentId}`)
  t.match(amountsOf(body.data[0].usage), { calls: '1', functionCalls: '1', cpuMs: /^\d/ })
})

t.test('a definition is refused that names what is not there', async (t) => {
  const save = (by: typeof ada, config: object) =>
    by.post('/v1/workflows', { name: 'Wrong', definition: { steps: [{ id: 'a', type: 'app', config }] } })
  const at = '/definition/steps/0/config'
  const app = 'step-app'
  t.match(await save(ada, { app: 'none-app', function: 'x' }), refuses(404, undefined, `${at}/app`))
  t.match(await save(eve, { app, function: 'double' }), refuses(403, 'not_owner', `${at}/app`))
  t.match(await save(ada, { app, function: 'nope' }), refuses(404, undefined, `${at}/function`))
  t.match(await save(ada, { app, function: 'hidden' }), refuses(404, undefined, `${at}/function`))
  const wrong = await save(ada, { app, function: 'double', input: { n: 'x' } })
  t.match(wrong, refuses(400, undefined, `${at}/input/n`))
  t.match(wrong.body.error.message, /^Step a: /)
  t.match(await save(ada, { app }), refuses(400, undefined, `${at}/function`))
  t.match(await save(ada, { app: '{{ input.app }}', function: 'double' }), { status: 201 })
})

/** Executes a step, and does that when it is in the middle of its first call; later ones pass. */
async function during(name: string, work: (path: string) => unknown) {
  const { reached, open, pass } = gate()
  let calls = 0
  probe.act = async () => {
    if (calls++ === 0) await pass()
  }
  const steps = [step('go', name, { n: 7 }, { retry: { attempts: 2, backoffSeconds: 1 } })]
  const execution = await execute(ada, await workflowOf(ada, steps))
  await reached
  await work(execution.path)
  open()
  const ended = await once(scene, ada, execution)
  return { ...ended, calls }
}

t.test('a step whose process is killed', async (t) => {
  const unknown = await during('once', kill)
  t.match(unknown, { status: 'failed', calls: 1 }, 'what may have been done is not done again')
  t.match(stepOf(unknown, 'go')?.error, { code: 'outcome_unknown' })
  const again = await during('again', kill)
  t.match(again, { status: 'completed', calls: 2 })
  t.equal(stepOf(again, 'go')?.output, 7)
  t.match(
    usedOf(again, 'go'),
    { functionCalls: '2', calls: '4' },
    'of both attempts, each with a call of its own'
  )
})

t.test('a step that takes too long', async (t) => {
  let calls = 0
  probe.act = async (_by, _params, { signal }) => {
    if (++calls <= 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const fields = { timeoutSeconds: 1, retry: { attempts: 2, backoffSeconds: 1 } }
  const steps = ['once', 'again'].map((name) =>
    step(name, name, { n: 7 }, { ...fields, onError: 'continue' })
  )
  const ended = await executed(scene, steps)
  t.match(stepOf(ended, 'once'), { status: 'failed', attempt: 1, error: { code: 'outcome_unknown' } })
  t.match(stepOf(ended, 'again'), { status: 'completed', attempt: 2, output: 7 })
  t.match(usedOf(ended, 'again'), { functionCalls: '2' }, 'also of the attempt that was cut')
})

t.test('cancelling ends the function', async (t) => {
  let left: AbortSignal | undefined
  const begun = Promise.withResolvers<void>()
  probe.act = (_by, _params, { signal }) => {
    left = signal
    begun.resolve()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
  }
  const execution = await execute(ada, await workflowOf(ada, [step('go', 'once', { n: 1 })]))
  await begun.promise
  t.match(await ada.post(`${execution.path}/cancel`), { body: { data: { status: 'cancelled' } } })
  t.ok(left?.aborted)
})

t.test('the pack is reloaded while a step runs', async (t) => {
  const made = await during('once', () => booted.admin.post('/v1/packs/app-functions/reload'))
  t.match(made, { status: 'completed', calls: 1 })
})
