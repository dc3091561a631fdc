// tier: whole
import t from 'tap'
import { WebSocket } from 'ws'
import { bridge } from '../../browser/bridge.ts'
import type { Hearing, Machine } from '../../provider/machine.ts'

/** A computer whose browser says what the test wants it to. */
function machineOf() {
  let hearing: Hearing = {}
  const signals: string[] = []
  const machine = {
    perform(_: unknown, given: Hearing) {
      hearing = given
      return {
        done: new Promise(() => undefined),
        input: () => true,
        drained: async () => undefined,
        signal: (name: string) => void signals.push(name)
      }
    }
  } as unknown as Machine
  return { machine, signals, say: (bytes: Buffer) => hearing.output?.(bytes) }
}

t.test('a browser that says too much is ended, whoever takes its place', async (t) => {
  const cases: [string, Buffer, number][] = [
    ['one message without an end', Buffer.alloc(1_048_576, 'x'), 40],
    ['more messages than anyone reads', Buffer.alloc(1_024, '{}\0'), 200],
    ['more bytes than wait for a driver', Buffer.alloc(8_388_608, `${'x'.repeat(1_048_575)}\0`), 10]
  ]
  for (const [what, bytes, times] of cases) {
    const { machine, signals, say } = machineOf()
    const { url } = await bridge(machine, ['chromium'])
    for (let n = 0; n < times; n++) say(bytes)
    t.same(signals.slice(0, 1), ['SIGKILL'], what)
    const late = new WebSocket(url)
    await new Promise((resolve) => late.on('error', resolve).on('close', resolve))
  }
})

t.test('it speaks with one driver', async (t) => {
  const { machine, say } = machineOf()
  const { url, close } = await bridge(machine, ['chromium'])
  t.teardown(close)
  say(Buffer.from('{"early":1}\0{"ha'))
  const driver = new WebSocket(url)
  const heard: string[] = []
  await new Promise<void>((resolve) => {
    driver.on('message', (data) => {
      heard.push(String(data))
      if (heard.length === 1) say(Buffer.from('lf":2}\0'))
      if (heard.length === 2) resolve()
    })
  })
  t.same(heard, ['{"early":1}', '{"half":2}'])
  const other = new WebSocket(url)
  other.on('error', () => undefined)
  await new Promise((resolve) => other.on('close', resolve))
})
