// budget: 6 s, because several projects have calls under way for a while
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t from 'tap'
import { randomOf, seed } from '../../../test/seed.ts'
import { fieldsOf } from '../wire.ts'
import { outcome, sandbox } from './testbed.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

t.test('a project that comes anew has its turn while all processes are in use', async (t) => {
  const { go, pool } = await sandbox(t, { processes: 2 })
  let isOver = false
  const counts = new Map<string, number>()
  const answers: Promise<unknown>[] = []
  /** Never without a call under way: each ends when the next one is under way, or does not come to be for a while. */
  const busy = async (group: string) => {
    let end = () => {}
    while (!isOver) {
      const [reached, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const host = async () => {
        reached.resolve()
        counts.set(group, (counts.get(group) ?? 0) + 1)
        await next.promise
        return { data: null }
      }
      answers.push(go('await context.call("x"); return 1', { group, host }).then(outcome))
      await Promise.race([reached.promise, wait(300)])
      await wait(20)
      end()
      end = next.resolve
    }
    end()
  }
  const working = ['a', 'b'].map(busy)
  while (counts.size < 2) await wait(10)
  t.equal(pool.readings().processes.length, 2)
  const answer = await go('return 7', { group: 'new' })
  t.equal(outcome(answer), 7)
  // Those that gave way have their turn again.
  const before = new Map(counts)
  while (['a', 'b'].some((group) => counts.get(group) === before.get(group))) await wait(10)
  isOver = true
  await Promise.all(working)
  t.same(new Set(await Promise.all(answers)), new Set([1]))
})

/** What processes are sent and say: the project of each program that is open in them. */
function watchPlaces(t: { teardown(work: () => void): void }) {
  const places = new Map<number, Map<string, string>>()
  const together: string[] = []
  let placed = 0
  const sent = (pid: number, line: string) => {
    const [kind, number = '', , text = ''] = fieldsOf(line, 4)
    const open = places.get(pid) ?? new Map<string, string>()
    places.set(pid, open)
    const [, group] = /of project (\d+)/.exec(text) ?? []
    if (kind === 'e') open.delete(number)
    if (kind !== 'p' || group === undefined) return
    placed++
    open.set(number, group)
    if (new Set(open.values()).size > 1) together.push(`${pid}: ${[...open.values()].join()}`)
  }
  const started = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    setImmediate(() => {
      const send = child.send.bind(child) as (text: unknown, then: () => void) => boolean
      child.on('message', (text) => {
        for (const line of String(text).split('\n'))
          if (line.startsWith('g\t')) places.get(child.pid ?? 0)?.delete(line.slice(2))
      })
      child.send = ((text: unknown, then: () => void) => {
        for (const line of String(text).split('\n')) sent(child.pid ?? 0, line)
        return send(text, then)
      }) as typeof child.send
    })
  }
  subscribe('child_process', started)
  t.teardown(() => unsubscribe('child_process', started))
  return { together, placed: () => placed, processes: () => places.size }
}

t.test('whatever is called when, no two projects have programs in one process', async (t) => {
  const watch = watchPlaces(t)
  const { go, pool } = await sandbox(t, { processes: 3, warm: 6, warmPerProcess: 3 })
  const body = (group: number) => `if (input) await context.call('x', input); return 'of project ${group}'`
  t.comment(`SEED=${seed}`)
  const random = randomOf(seed)
  const one = async () => {
    const group = random(5)
    const leaving = new AbortController()
    const asked = go(body(group), {
      group: `${group}`,
      name: `app ${random(3)}`,
      input: random(3),
      signal: leaving.signal,
      host: async () => ({ data: await wait(random(20)) })
    })
    if (random(10) === 0) setTimeout(() => leaving.abort(), random(20))
    const answer = await asked
    if ('data' in answer) t.equal(answer.data, `of project ${group}`)
    else t.match(answer.error.code, /^(?:aborted|sandbox_lost)$/)
  }
  const worker = async () => {
    for (let n = 0; n < 20; n++) await one()
  }
  const working = Promise.all(Array.from({ length: 20 }, worker))
  await wait(300)
  const killed = pool.readings().processes.find(({ calls }) => calls > 0)
  if (killed) process.kill(killed.pid, 'SIGKILL')
  await working
  t.same(watch.together, [])
  t.ok(watch.processes() >= 3)
  t.ok(watch.placed() > 15, `${watch.placed()} programs were placed`)
})
