import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import t from 'tap'
import type { Execution } from '../contract/execution.ts'
import { createExecutions } from './executions.ts'
import { printShop } from './testbed.ts'

/** The order of things, which no database would keep to: each work is over when the test says so. */
function begin(
  t: { teardown(work: () => unknown): unknown },
  kinds: readonly string[] = ['press/sheet'],
  concurrency = 2
) {
  const works = new EventEmitter<{ begun: [end: () => void] }>()
  const scans = new Map<string, (() => void)[]>(kinds.map((key) => [key, []]))
  const kindOf = (key: string): Execution => ({
    step: async () => 'done',
    release: async () => undefined,
    stop: () => false,
    held: () => new Map(),
    listOrphaned: () => new Promise((resolve) => scans.get(key)?.push(() => resolve([]))),
    listCancelled: async () => [],
    concurrency
  })
  const current = new Map(kinds.map((key) => [key, kindOf(key)]))
  const heard = new EventEmitter()
  let atOnce = 0
  let most = 0
  const executions = createExecutions({
    current: () => current,
    async advance() {
      most = Math.max(most, ++atOnce)
      await new Promise<void>((end) => works.emit('begun', end))
      atOnce--
      return 'done'
    },
    instances: { id: () => 1, dead: async () => [] },
    signals: {
      send: (topic, data) => void heard.emit(topic, data),
      on(topic, hear) {
        heard.on(topic, hear)
        return { [Symbol.dispose]: () => void heard.off(topic, hear) }
      }
    },
    log: pino({ level: 'silent' })
  })
  t.teardown(() => executions.close())
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { ...executions.of('press'), works, scans, turn, most: () => most }
}

t.test('what is to be executed while it ends is executed once more, and never twice at once', async (t) => {
  const { execute, works, turn, most } = begin(t)
  const first = once(works, 'begun')
  const over = execute('sheet', 'sheet_1')
  const [end] = await first
  for (let n = 0; n < 3; n++) await execute('sheet', 'sheet_1')
  const second = once(works, 'begun')
  end()
  const [endAgain] = await second
  let more = 0
  works.on('begun', (end) => {
    more++
    end()
  })
  endAgain()
  await over
  await turn()
  t.equal(more, 0, 'three calls are one more turn')
  t.equal(most(), 1)
})

t.test(
  'what is new is this instance’s own while there is room, and no place is lost to what was not recorded',
  async (t) => {
    const { begin: record, works, turn } = begin(t)
    const ends: (() => void)[] = []
    works.on('begun', (end) => ends.push(end))
    const asked: boolean[] = []
    const recorded = [0, 1, 2, 3].map(() => Promise.withResolvers<boolean>())
    const all = recorded.map(({ promise }, n) =>
      record('sheet', { project: 'p', owner: `owner_${n}`, id: `sheet_${n}` }, (isOurs) => {
        asked.push(isOurs)
        return promise
      })
    )
    t.same(asked, [true, true, false, false], 'places are taken before the record knows')
    t.equal(ends.length, 0, 'nothing is executed before it is in the record')
    recorded[0]?.resolve(true)
    recorded[1]?.resolve(false)
    recorded[2]?.resolve(true)
    recorded[3]?.reject(new Error('away'))
    t.same(await Promise.all(all.slice(0, 3)), [true, false, true])
    await t.rejects(all[3] as Promise<boolean>, { message: 'away' })
    await turn()
    t.equal(ends.length, 2, 'the place of the one that was refused is another one’s')
    for (const end of ends) end()
  }
)

t.test('an owner has no more than its share of what is executed at a time', async (t) => {
  const { begin: record } = begin(t, ['press/sheet'], 4)
  const asked = async (owner: string, id: string) => {
    let isOwn = false
    await record('sheet', { project: 'p', owner, id }, async (isOurs) => {
      isOwn = isOurs
      return true
    })
    return isOwn
  }
  const flood = []
  for (let n = 0; n < 6; n++) flood.push(await asked('flood', `flood_${n}`))
  t.same(flood, [true, true, true, false, false, false])
  t.equal(await asked('quiet', 'quiet_0'), true, 'a fourth is left to others')
  t.equal(await asked('quiet', 'quiet_1'), false, 'all are taken')
})

t.test('a thousand that are released at once are looked for twice', async (t) => {
  const { released, scans, turn } = begin(t)
  const scanned = scans.get('press/sheet') as (() => void)[]
  for (let n = 0; n < 1_000; n++) released('sheet')
  await turn()
  t.equal(scanned.length, 1)
  scanned[0]?.()
  await turn()
  t.equal(scanned.length, 2)
  scanned[1]?.()
  await turn()
  t.equal(scanned.length, 2)
})

t.test('a kind whose record does not answer holds back no other', async (t) => {
  const { released, scans, turn } = begin(t, ['press/sheet', 'press/cover'])
  for (const name of ['sheet', 'cover', 'cover']) {
    released(name)
    await turn()
    scans.get('press/cover')?.at(-1)?.()
    await turn()
  }
  t.equal(scans.get('press/sheet')?.length, 1)
  t.equal(scans.get('press/cover')?.length, 2)
})

t.test('a pack that is turned off leaves what it holds, and goes on with it when it is on', async (t) => {
  const { home, begun, insert, executions, until, eventsOf } = await printShop(t)
  const id = await insert()
  void executions.execute('sheet', id)
  const first = await begun.next()
  const turn = (enabled: boolean) => home.admin.put('/v1/packs/press', { enabled })
  t.match(await turn(false), { status: 200 })
  first.end('again')
  t.match(await until(id, ({ instance }) => instance === null), { status: 'queued', attempt: 1 })
  t.match(await turn(true), { status: 200 })
  ;(await begun.next()).end('completed')
  await until(id, ({ status }) => status === 'completed')
  t.same(await eventsOf(id), ['queued', 'running', 'printed', 'running', 'completed'])
})
