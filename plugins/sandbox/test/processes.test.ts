// budget: 6 s, because processes are killed and started anew
// tier: whole
import t from 'tap'
import type { SandboxAnswer } from '../contract.ts'
import { createQuarantine } from '../pool/quarantine.ts'
import { outcome, sandbox } from './testbed.ts'

const codeOf = (answer: SandboxAnswer) => ('error' in answer ? answer.error.code : 'well')
const HOLD = 'return context.call("hold", input)'
/** A program of its own by its name, that kills its process as a fault of native code would. */
const kill = (pid: number | undefined) => process.kill(pid as number, 'SIGKILL')

t.test('kill -9 in the middle of 200 calls loses those that were in the process, and no other', async (t) => {
  const { go, pool } = await sandbox(t)
  await Promise.all(['one', 'two'].map((name) => go('return 1', { name })))
  const [first, second] = pool.readings().processes
  t.not(first?.pid, second?.pid)

  const gate = Promise.withResolvers<void>()
  const reached = { one: 0, two: 0 }
  const all = Promise.withResolvers<void>()
  const call = (name: 'one' | 'two', input: number) =>
    go(HOLD, {
      name,
      input,
      async host(_method, params) {
        reached[name]++
        if (reached.one + reached.two === 200) all.resolve()
        await gate.promise
        return { data: params }
      }
    })
  const calls = Array.from({ length: 200 }, (_, n) => call(n % 2 ? 'one' : 'two', n))
  await all.promise
  const { processes } = pool.readings()
  t.same(processes.map(({ calls }) => calls).sort(), [100, 100])
  kill(processes[0]?.pid)
  const lost = Promise.race(calls)
  t.equal(codeOf(await lost), 'sandbox_lost')
  gate.resolve()
  const answers = await Promise.all(calls)
  t.equal(answers.filter((answer) => codeOf(answer) === 'sandbox_lost').length, 100)
  for (const [n, answer] of answers.entries())
    if (codeOf(answer) === 'well') t.equal(outcome(answer), n)
    else t.match(answer, { error: { code: 'sandbox_lost' } })
  t.equal(outcome(await go('return 2', { name: 'one' })), 2, 'there is another process at once')
  t.equal(pool.readings().lost, 1)
})

t.test('who is the end of processes is quarantined, until it is reset', async (t) => {
  const { go, pool } = await sandbox(t)
  for (let n = 0; n < 3; n++) {
    const asked = go(HOLD, {
      name: 'eve',
      host: () => {
        kill(pool.readings().processes.find(({ calls }) => calls > 0)?.pid)
        return new Promise(() => undefined)
      }
    })
    t.equal(codeOf(await asked), 'sandbox_lost')
  }
  t.match(await go('return 1', { name: 'eve' }), { error: { code: 'quarantined' } })
  t.match(pool.quarantine.of('default/eve'), {
    state: 'quarantined',
    losses: 3,
    reason: /ended/,
    until: Date
  })
  t.equal(pool.readings().quarantined, 1)
  t.equal(outcome(await go('return 1', { name: 'ada' })), 1)
  pool.quarantine.reset('default/eve')
  t.equal(outcome(await go('return 1', { name: 'eve' })), 1)
})

t.test('those that were together in a process which was lost run apart until it is cleared up', async (t) => {
  const { go, pool } = await sandbox(t, { processes: 3 })
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) await go('return 1', { name })
  const two = pool.readings().processes.map(({ pid }) => pid)
  t.equal(two.length, 2)
  const calls = names.map((name) =>
    go(HOLD, { name, host: () => new Promise(() => undefined), limits: { wallMs: 2_000 } })
  )
  const full = pool.readings().processes.find(({ calls }) => calls === 2)
  kill(full?.pid)
  const answers = await Promise.all(calls)
  const suspects = names.filter((_, n) => codeOf(answers[n] as SandboxAnswer) === 'sandbox_lost')
  t.equal(suspects.length, 2)
  for (const name of suspects)
    t.match(pool.quarantine.of(`default/${name}`), { state: 'suspected', losses: 0 })
  for (const name of suspects)
    for (let n = 0; n < 3; n++) {
      t.equal(outcome(await go('return 1', { name })), 1)
      t.ok(pool.readings().processes.some(({ programs }) => programs === 1))
    }
  for (const name of suspects) t.match(pool.quarantine.of(`default/${name}`), { state: 'healthy', losses: 0 })
})

t.test('projects are never in one process at a time', async (t) => {
  const { go, pool } = await sandbox(t, { processes: 2 })
  const gate = Promise.withResolvers<void>()
  const host = async (_method: string, params: unknown) => {
    await gate.promise
    return { data: params }
  }
  const seen = new Map<number, Set<string>>()
  const calls = Array.from({ length: 12 }, (_, n) => go(HOLD, { group: `project ${n % 4}`, input: n, host }))
  const look = () => {
    for (const { pid, group = '' } of pool.readings().processes)
      seen.set(pid, (seen.get(pid) ?? new Set()).add(group))
  }
  look()
  t.equal(pool.readings().processes.length, 2)
  t.ok(pool.readings().waiting >= 6, 'others wait for a process')
  gate.resolve()
  t.same(
    (await Promise.all(calls)).map(outcome),
    calls.map((_, n) => n)
  )
  t.equal(pool.readings().processes.length, 2)
})

t.test('the least used programs leave', async (t) => {
  const { go, pool } = await sandbox(t, { warm: 4, processes: 2 })
  const body = 'globalThis.count = (globalThis.count ?? 0) + 1; return globalThis.count'
  const call = async (n: number) => outcome(await go(body, { name: `app ${n}` }))
  for (let n = 0; n < 6; n++) t.equal(await call(n), 1)
  const count = pool.readings().processes.reduce((sum, { programs }) => sum + programs, 0)
  t.equal(count, 4)
  t.equal(await call(5), 2, 'is warm')
  t.equal(await call(0), 1, 'had left')
})

t.test('quarantine is longer with each loss, and losses are forgotten', (t) => {
  let now = 0
  const quarantine = createQuarantine(() => now)
  for (let n = 0; n < 3; n++) quarantine.blame('eve', 'it died')
  t.match(quarantine.of('eve'), { state: 'quarantined', until: new Date(10_000) })
  now = 10_001
  t.match(quarantine.of('eve'), { state: 'healthy', losses: 3 })
  t.equal(quarantine.isApart('eve'), true)
  quarantine.blame('eve', 'it died')
  t.match(quarantine.of('eve'), { state: 'quarantined', until: new Date(30_001) })
  now += 600_001
  t.match(quarantine.of('eve'), { state: 'healthy', losses: 0 })
  t.equal(quarantine.isApart('eve'), false)
  t.end()
})
