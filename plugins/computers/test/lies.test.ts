import { Duplex } from 'node:stream'
import type { Test } from 'tap'
import t from 'tap'
import { createDecoder, END, encode, encodeJson, OPEN, OUTPUT, PING, PONG } from '../guest/frames.ts'
import type { Ending, Machine } from '../provider/machine.ts'
import { createMachine } from '../provider/machine.ts'

type Answer = (channel: number, say: (bytes: Buffer) => void) => void

/** A computer that says whatever it likes. */
async function lying(t: Test, answer: Answer, { silenceMs = 60_000, isDumb = false } = {}) {
  // Its timers keep nothing alive.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => clearInterval(alive))
  const decode = createDecoder()
  const connection: Duplex = new Duplex({
    read() {},
    write(bytes, _, done) {
      for (const { channel, kind } of decode(bytes))
        if (kind === PING && !isDumb) connection.push(encode(0, PONG))
        else if (kind === OPEN) answer(channel, (said) => void connection.push(said))
      done()
    }
  })
  const { promise: ended, resolve } = Promise.withResolvers<Ending>()
  t.teardown(() => resolve('asked'))
  connection.push(encode(0, END))
  const machine: Machine = await createMachine({
    connection,
    stop: resolve,
    ended,
    silenceMs
  })
  return machine
}
const list = { op: 'read', path: '.', offset: 0, length: 10 } as const

t.test('a computer that lies is ended, and takes nobody with it', async (t) => {
  const long = Buffer.alloc(9)
  long.writeUInt32BE(0xffff_ffff, 0)
  const lies: [string, Answer][] = [
    ['a frame that is too long', (_, say) => say(long)],
    ['an answer that cannot be read', (channel, say) => say(encode(channel, END, Buffer.from('{"fault":')))],
    ['it ended, without a word', (_, say) => say(null as never)]
  ]
  for (const [what, answer] of lies) {
    const machine = await lying(t, answer)
    const task = machine.perform(list)
    t.equal(await machine.ended, 'lost', what)
    await t.rejects(task.done, { code: 'computer_lost' }, what)
    await t.rejects(
      machine.perform(list).done,
      { code: 'computer_lost' },
      `${what}: nothing is asked of it again`
    )
  }
})

t.test('what nobody asked for is heard by nobody', async (t) => {
  const heard: string[] = []
  const machine = await lying(t, (channel, say) => {
    say(encode(channel + 1, OUTPUT, Buffer.from('of another')))
    say(encodeJson(channel + 1, END, { of: 'another' }))
    say(encode(channel, OUTPUT, Buffer.from('its own')))
    say(encodeJson(channel, END, { first: true }))
    say(encode(channel, OUTPUT, Buffer.from('late')))
    say(encodeJson(channel, END, { second: true }))
  })
  const task = machine.perform(list, { output: (bytes) => void heard.push(String(bytes)) })
  t.same(await task.done, { first: true })
  t.same(heard, ['its own'])
  t.equal(machine.busy, 0)
})

t.test('what it says of its memory is a number of bytes, or nothing', async (t) => {
  const said: readonly (readonly [answer: unknown, bytes: number | undefined])[] = [
    [{ bytes: 4_096 }, 4_096],
    ...[null, 7, 'much', { fault: { code: 'failed' } }, {}].map((it) => [it, undefined] as const),
    ...[null, -1, 1.5, 1e300, '4096', [4_096]].map((bytes) => [{ bytes }, undefined] as const)
  ]
  for (const [answer, bytes] of said) {
    const machine = await lying(t, (channel, say) => say(encodeJson(channel, END, answer)))
    t.equal(await machine.memory(), bytes, JSON.stringify(answer))
    t.equal(machine.busy, 0)
  }
})

t.test('whoever looks at one that does not say it goes on without, and it is asked once', async (t) => {
  const orders: number[] = []
  const machine = await lying(t, (channel) => void orders.push(channel))
  const usedAt = machine.usedAt
  t.same(await Promise.all([machine.memory(), machine.memory()]), [undefined, undefined])
  t.equal(await machine.memory(), undefined)
  t.equal(orders.length, 1)
  t.equal(machine.busy, 0, 'it may rest all the same')
  t.equal(machine.usedAt, usedAt)
})

t.test('one that says nothing is ended', async (t) => {
  const machine = await lying(t, () => undefined, { silenceMs: 30, isDumb: true })
  const task = machine.perform(list)
  t.equal(await machine.ended, 'lost')
  await t.rejects(task.done, { code: 'computer_lost' })
})

t.test('one that answers, but goes on with what was killed, is ended', async (t) => {
  const machine = await lying(t, () => undefined, { silenceMs: 200 })
  const task = machine.perform(list)
  await new Promise((then) => setTimeout(then, 500))
  t.equal(machine.busy, 1, 'it answers, and is left alone')
  task.signal('SIGKILL')
  t.equal(await machine.ended, 'lost')
  await t.rejects(task.done, { code: 'computer_lost' })
})
