// budget: 10 s, because the machine is kept busy for a while
// tier: long
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { availableParallelism, setPriority } from 'node:os'
import type { Test } from 'tap'
import t from 'tap'
import { createHeartbeat } from '../pool/heartbeat.ts'
import { outcome, sandbox } from './testbed.ts'

t.test('a process that does not answer is killed', async (t) => {
  const { go, pool } = await sandbox(t)
  await go('return 1')
  const [{ pid } = { pid: 0 }] = pool.readings().processes
  process.kill(pid, 'SIGSTOP')
  t.match(await go('return 1'), { error: { code: 'sandbox_lost', message: /did not answer/ } })
  t.equal(outcome(await go('return 1')), 1)
  t.throws(() => process.kill(pid, 0))
})

const PATIENCE = 15_000
// A reading of /proc at each sweep of 50 ms, of a main thread and another one.
const sweeps = (
  each: (n: number) => readonly [state: string, ran: number, waited: number][],
  isPatient = false
) => {
  let n = 0
  const read = () => new Map(each(n).map(([state, ran, waited], id) => [`${id}`, { state, ran, waited }]))
  const { isHung } = createHeartbeat(read, () => n * 50)
  while (n * 50 < PATIENCE && !isHung(isPatient)) n++
  return n * 50
}
const MS = 1e6
t.test('a process that is stopped or loops is hung within a second, one without a processor is not', (t) => {
  t.ok(sweeps(() => [['T', 0, 0]]) < 800, 'stopped')
  t.ok(sweeps((n) => [['R', n * 50 * MS, 0]]) < 800, 'in a loop')
  t.ok(sweeps(() => [['S', 0, 0]]) < 800, 'asleep, though it was asked')
  t.ok(
    sweeps((n) => [
      ['S', 0, 0],
      ['S', n * MS, n * MS]
    ]) < 800,
    'so are all others'
  )
  t.ok(sweeps(() => [['R', 0, 0]]) > 5_000, 'never has a turn')
  t.ok(sweeps((n) => [['R', n * MS, n * 48 * MS]]) > 5_000, 'hardly ever')
  t.ok(
    sweeps((n) => [
      ['S', 0, 0],
      ['R', n * MS, n * 48 * MS]
    ]) > 5_000,
    'waits for a thread that has hardly any'
  )
  t.equal(
    sweeps(() => [['R', 0, 0]], true),
    PATIENCE,
    'gets what others leave, which is nothing'
  )
  t.ok(sweeps(() => [['T', 0, 0]], true) < 800, 'is stopped all the same')
  t.end()
})

/** For ten seconds, should this process not be there to end it. */
const BUSY = 'for (const end = Date.now() + 10_000; Date.now() < end; );'
t.test('a machine that is busy with other things is the end of no process', async (t) => {
  const { go, pool } = await sandbox(t)
  await go('return 1')
  const [{ pid } = { pid: 0 }] = pool.readings().processes
  const others = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' })
  )
  const free = () => {
    for (const it of others) it.kill('SIGKILL')
  }
  t.teardown(free)
  setPriority(pid, 19)
  const end = performance.now() + 2_500
  let answered = 0
  while (performance.now() < end) answered += Number(outcome(await go('return input', { input: 1 })))
  t.ok(answered > 0)
  free()
  t.equal(pool.readings().lost, 0)
  t.equal(pool.readings().processes[0]?.pid, pid)
})

/** Resolves when a process says the next time what its calls took, after the pool has heard of it. */
function watchReadings(t: Test): () => Promise<void> {
  let told = Promise.withResolvers<void>()
  const started = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    // The pool listens from now on, and so first.
    setImmediate(() => child.on('message', (text) => /^!\t\d/m.test(String(text)) && told.resolve()))
  }
  subscribe('child_process', started)
  t.teardown(() => unsubscribe('child_process', started))
  return () => {
    told = Promise.withResolvers<void>()
    return told.promise
  }
}

t.test('what a call took is told, also where it does not end well', async (t) => {
  const told = watchReadings(t)
  const { go, pool } = await sandbox(t, { cpuMilliseconds: 10_000 })
  const work = 'for (let n = 0; n < 2e8; n++); await context.call("x")'
  t.match(await go(work), { data: null }, 'it is warm')
  const never = () => new Promise<never>(() => undefined)
  const late = await go(work, { host: never, limits: { wallMs: 3_000 } })
  t.match(late, { error: { code: 'time_exceeded' } })
  t.ok(late.usage.cpuMs >= 10, `${late.usage.cpuMs} ms`)
  const lost = await go(work, {
    async host() {
      await told()
      process.kill(pool.readings().processes.find(({ calls }) => calls > 0)?.pid as number, 'SIGKILL')
      return never()
    }
  })
  t.match(lost, { error: { code: 'sandbox_lost' } })
  t.ok(lost.usage.cpuMs >= 10, `${lost.usage.cpuMs} ms`)
})
