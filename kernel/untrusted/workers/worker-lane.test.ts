// budget: 6 s, because processes are started
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { inShortTurns } from '../../../test/turns.ts'
import { canBeOffline, isOffline } from './network.ts'
import type { Order } from './worker-fixture.ts'
import type { LaneOptions, Loss } from './worker-lane.ts'
import { createWorkerLane } from './worker-lane.ts'
import { processOf, threadOf } from './worker-start.ts'

const file = new URL('./worker-fixture.ts', import.meta.url)
const ada = { project: 'p', owner: 'ada' }
type Answer = { said?: unknown; count: number; variables: string[]; pid: number } | number | string | Loss
type Told = { said?: unknown; count: number; variables: string[]; pid: number }

const thread = threadOf(file, { memoryMb: 64 })
const apart = processOf(file, { memoryMb: 700, heapMb: 96, cpuSeconds: 60, code: [] })
function lane(
  t: { teardown(work: () => unknown): unknown },
  start = thread,
  options: Partial<LaneOptions<Answer>> = {}
) {
  const most = { ofOwner: 100, ofProject: 100 }
  const made = createWorkerLane<Order, Answer>({
    start,
    lost: (it) => it,
    tooMany: 'Too many',
    most,
    ...options
  })
  t.teardown(() => made.close())
  return made
}

for (const [name, start] of [
  ['thread', thread],
  ['process', apart]
] as const)
  t.test(`a ${name} that hangs or dies is replaced, and only its question fails`, async (t) => {
    const { ask } = lane(t, start, { stuckMs: 4_000, ahead: 2 })
    t.match(await ask(ada, { say: 'one' }), { said: 'one', count: 1 })
    const asked = [ask(ada, { exit: true }), ask(ada, { say: 'two' }), ask(ada, { say: 'three' })]
    t.match(await Promise.all(asked), ['died', { said: 'two', count: 1 }, { said: 'three', count: 2 }])
    const begin = () => Promise.all([ask(ada, { spin: true }), ask(ada, { say: 'four' })])
    t.match(await inShortTurns(t, begin), ['stuck', { said: 'four', count: 1 }])
  })

t.test('a process has no environment, takes no more memory than it may, and reaches nothing', async (t) => {
  const secret = join(tmpdir(), `secret-${process.pid}`)
  writeFileSync(secret, 'secret')
  t.teardown(() => rmSync(secret))
  const { ask } = lane(t, apart)
  const told = (await ask(ada, {})) as Told
  t.not(told.pid, process.pid)
  t.same(
    told.variables.filter((it) => !/^(MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|PWD|NODE_CHANNEL.*)$/.test(it)),
    []
  )
  t.equal(await ask(ada, { read: secret }), 'ERR_ACCESS_DENIED')
  t.equal(await ask(ada, { write: secret }), 'ERR_ACCESS_DENIED')
  t.equal(await ask(ada, { run: '/bin/true' }), 'ERR_ACCESS_DENIED')
  if (process.platform === 'linux') t.equal(await ask(ada, { take: 2_048 }), 'died')
  t.match(await ask(ada, { say: 'next' }), { said: 'next', count: 1 })
})

const canBe = await canBeOffline()
t.test(
  'a process has no network',
  { skip: !canBe && 'this system gives no namespace without a network' },
  async (t) => {
    const server = createServer((socket) => socket.destroy())
    t.teardown(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const connect = (server.address() as AddressInfo).port
    t.equal(await lane(t, thread).ask(ada, { connect }), 'reached', 'there is a server to be reached')
    const { ask } = lane(t, apart)
    t.equal(await ask(ada, { connect }), 'ENETUNREACH')
    t.equal(isOffline(((await ask(ada, {})) as Told).pid), true)
    t.equal(isOffline(process.pid), false)
  }
)

t.test('what cannot be started is told so', async (t) => {
  const missing = new URL('../no-such-file.ts', import.meta.url)
  const caps = { memoryMb: 700, heapMb: 96, cpuSeconds: 60, code: [] }
  const { ask } = lane(t, processOf(missing, caps))
  t.equal(await ask(ada, {}), 'not started')
  const throwing = lane(t, processOf(missing, caps), {
    lost: (loss) => {
      throw new Error(loss)
    }
  })
  await t.rejects(throwing.ask(ada, {}), { message: 'not started' })
})

t.test('workers stand side by side, end when they are idle, and after so many answers', async (t) => {
  const pair = lane(t, thread, { workers: 2 })
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  await Promise.all([
    pair.ask(ada, { wait: 300 }).then(note('slow')),
    pair.ask(ada, {}).then(note('quick')),
    pair.ask(ada, {}).then(note('quick too'))
  ])
  t.same(order, ['quick', 'quick too', 'slow'])

  const some = lane(t, thread, { answers: 2 })
  const counts = await Promise.all([1, 2, 3, 4, 5].map(() => some.ask(ada, {})))
  t.same(
    counts.map((it) => (it as Told).count),
    [1, 2, 1, 2, 1]
  )

  const ended = Promise.withResolvers<void>()
  const watched: typeof thread = ({ answer, gone }) =>
    thread({
      answer,
      gone(isStarted) {
        gone(isStarted)
        ended.resolve()
      }
    })
  const idle = lane(t, watched, { idleMs: 50 })
  t.match(await idle.ask(ada, {}), { count: 1 })
  t.match(await idle.ask(ada, {}), { count: 2 })
  // A worker without questions keeps no process from its end.
  const held = setInterval(() => undefined, 1_000)
  await ended.promise
  clearInterval(held)
  t.match(await idle.ask(ada, {}), { count: 1 }, 'another one')
})

t.test('what is closed answers nothing any more', async (t) => {
  const { ask, close } = lane(t)
  const asked = [ask(ada, { wait: 60_000 }), ask(ada, {})]
  close()
  for (const it of [...asked, ask(ada, {})])
    t.match(await it.catch((error) => error), { kind: 'unavailable' })
})
