import t from 'tap'
import { createListeners } from './listeners.ts'
import { createRemember } from './remembered.ts'

/** Signals of one process, which may be cut off from those of others. */
function createSignals() {
  const [heard, changes] = [createListeners<unknown>(log), createListeners<boolean>(log)]
  const signals = {
    connected: true,
    send: heard.emit,
    on: heard.on,
    onChange: (hear: (connected: boolean) => void) => changes.on('', hear)
  }
  const connect = (connected: boolean) => {
    signals.connected = connected
    changes.emit('', connected)
  }
  return { signals, connect, remember: createRemember(signals) }
}
const log = { error: (about: object) => t.fail('a listener failed', about) }

t.test('a value is loaded once, until its change is signalled', async (t) => {
  const { remember } = createSignals()
  const loads: string[] = []
  using values = remember('things.changed', async (key) => `${key} ${loads.push(key)}`)
  t.same(await Promise.all([values.of('a'), values.of('a'), values.of('b')]), ['a 1', 'a 1', 'b 2'])
  values.changed('a')
  t.equal(await values.of('a'), 'a 3')
  t.equal(await values.of('b'), 'b 2', 'and no other')
})

t.test('what runs anew whenever it is awaited is run once', async (t) => {
  const { remember } = createSignals()
  let runs = 0
  // As a query of knex.
  // biome-ignore lint/suspicious/noThenProperty: what is tested
  const query = { then: (done: (value: number) => void) => done(++runs) } as unknown as Promise<number>
  using values = remember('things.changed', () => query)
  t.same([await values.of('a'), await values.of('a')], [1, 1])
})

t.test('a change that comes while it is loaded is not missed', async (t) => {
  const { signals, remember } = createSignals()
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let loads = 0
  using values = remember('things.changed', () => (gates[loads++] as (typeof gates)[0]).promise)
  const before = values.of('a')
  signals.send('things.changed', 'a')
  const after = values.of('a')
  gates[1]?.resolve('new')
  gates[0]?.reject(new Error('away'))
  await t.rejects(before, { message: 'away' })
  t.equal(await after, 'new')
  t.equal(await values.of('a'), 'new', 'the failure of the older load forgets nothing of the newer one')
  t.equal(loads, 2)
})

t.test('a load that failed is not kept, nor anything while signals cannot be heard', async (t) => {
  const { connect, remember } = createSignals()
  let loads = 0
  using values = remember('things.changed', async () => {
    if (++loads === 1) throw new Error('away')
    return loads
  })
  await t.rejects(values.of('a'), { message: 'away' })
  t.equal(await values.of('a'), 2)
  connect(false)
  t.same([await values.of('a'), await values.of('a')], [3, 4])
  connect(true)
  t.equal(await values.of('a'), 5, 'its change may have been missed meanwhile')
  t.equal(await values.of('a'), 5)
})
