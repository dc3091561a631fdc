import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createAppetites } from '../pool/appetites.ts'
import { outcome, sandbox } from './testbed.ts'

t.test('who takes more than a twentieth of a processor is known for ten minutes', (t) => {
  let now = 0
  const { took, isGreedy, tidy } = createAppetites(250, () => now)
  for (; now < 60_000; now += 100) took('ada', 5)
  t.equal(isGreedy('ada'), false, 'a twentieth for a minute')
  took('ada', 251)
  t.equal(isGreedy('ada'), true, 'more than it may at once')
  t.equal(isGreedy('eve'), false)
  for (let n = 0; n < 200; n++, now += 100) took('eve', 6)
  t.equal(isGreedy('eve'), false, 'a little more, for 20 seconds')
  for (let n = 0; n < 200; n++, now += 100) took('eve', 6)
  t.equal(isGreedy('eve'), true, 'and for 40')
  took('eve', 1)
  now += 599_999
  tidy()
  t.equal(isGreedy('eve'), true)
  now += 2
  tidy()
  t.equal(isGreedy('eve'), false)
  t.end()
})

/** Whether the system gives it what others leave: by its cgroup, or by the policy of its threads. */
function isIdle(pid: number): boolean {
  const [, path] = /^\d+:(?:cpu|cpu,cpuacct)?:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8')) ?? []
  const file = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']
    .map((root) => `${root}${path}/cpu.idle`)
    .find(existsSync)
  // Field 41 of `stat` is the policy, of which 5 is SCHED_IDLE; the name before may have blanks in it.
  const policy = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[38]
  return policy === '5' || (file !== undefined && readFileSync(file, 'utf8').trim() === '1')
}

t.test('a program that works for long goes on with what others leave, and they without it', async (t) => {
  const { go, pool } = await sandbox(t, { burstMilliseconds: 200, cpuMilliseconds: 60_000, processes: 3 })
  /** The process that the one call is in which is under way. */
  const busy = () => pool.readings().processes.find(({ calls }) => calls > 0)
  const inside = async (name: string) => {
    let seen: ReturnType<typeof busy>
    const host = async () => {
      seen = busy()
      return { data: null }
    }
    await go('await context.call("x")', { name, host })
    return seen
  }
  t.match(await inside('ada'), { isBackground: false })

  const leaving = new AbortController()
  const working = go('for (;;) { for (let n = 0; n < 1e6; n++); await context.call("x") }', {
    name: 'eve',
    signal: leaving.signal,
    async host() {
      if (busy()?.isBackground) leaving.abort()
      return { data: null }
    }
  })
  t.match(await working, { error: { code: 'aborted' } }, 'its process is put behind others while it works')
  const { pid = 0 } = pool.readings().processes.find((it) => it.isBackground) ?? {}
  if (process.platform === 'linux') while (!isIdle(pid)) await delay(5)
  const again = new AbortController()
  const asked = go('return 1', { name: 'eve', signal: again.signal })
  t.match(busy(), { isBackground: true })
  again.abort()
  await asked
  t.match(await inside('ada'), { isBackground: false })

  // With all processes in use, one that is behind others is none for a project that is not.
  const all = Promise.withResolvers<{ data: null }>()
  let begun = 0
  const gate = () => {
    if (++begun === 3) all.resolve({ data: null })
    return all.promise
  }
  const groups = ['one', 'two', 'three']
  const calls = groups.map((group) => go('await context.call("x"); return 2', { group, host: gate }))
  await all.promise
  t.same(
    pool.readings().processes.map((it) => [it.calls, it.isBackground]),
    groups.map(() => [1, false])
  )
  t.same((await Promise.all(calls)).map(outcome), [2, 2, 2])
  t.equal(pool.readings().lost, 0)
})
