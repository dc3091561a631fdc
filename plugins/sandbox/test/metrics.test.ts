import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { sandboxMetrics } from '../metrics.ts'
import { outcome, sandbox } from './testbed.ts'

t.test('how it stands is among the metrics of the instance', async (t) => {
  const { admin } = await boot(t, 'sandbox', 'metrics')
  const { text } = await admin.get('/metrics')
  const samples = text.match(/^agent_platform_sandbox_\S+ \d+$/gm)
  t.same(samples, [
    'agent_platform_sandbox_processes{background="false"} 0',
    'agent_platform_sandbox_processes{background="true"} 0',
    'agent_platform_sandbox_programs 0',
    'agent_platform_sandbox_calls 0',
    'agent_platform_sandbox_calls_waiting 0',
    'agent_platform_sandbox_quarantined 0',
    'agent_platform_sandbox_processes_lost_total 0'
  ])
})

t.test('what is counted are processes, programs and calls', async (t) => {
  const { go, pool } = await sandbox(t)
  const { read } = sandboxMetrics({ sandboxService: pool })
  const values = () =>
    Object.fromEntries(read().map(({ name, samples }) => [name, samples.map((it) => it.value)]))
  t.equal(outcome(await go('return 1')), 1)
  const host = async () => ({ data: values() })
  t.match(outcome(await go('return await context.call("x")', { host })), {
    processes: [2, 0],
    programs: [2],
    calls: [1],
    calls_waiting: [0],
    processes_lost_total: [0]
  })
  const killing = go('await context.call("x")', {
    host: () => {
      for (const { pid, calls } of pool.readings().processes) if (calls > 0) process.kill(pid, 'SIGKILL')
      return new Promise(() => undefined)
    }
  })
  t.match(await killing, { error: { code: 'sandbox_lost' } })
  t.match(values(), { calls: [0], processes_lost_total: [1], quarantined: [0] })
})
