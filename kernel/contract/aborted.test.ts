import { getEventListeners } from 'node:events'
import t from 'tap'
import { unlessAborted } from './aborted.ts'

const never = new Promise<never>(() => {})

t.test('work is waited for until its signal is aborted', async (t) => {
  const { signal } = new AbortController()
  t.equal(await unlessAborted(signal, Promise.resolve('done')), 'done')
  await t.rejects(unlessAborted(signal, Promise.reject(new Error('failed'))), { message: 'failed' })
  t.equal(getEventListeners(signal, 'abort').length, 0, 'and nothing listens when it is over')

  const stop = new AbortController()
  const waiting = unlessAborted(stop.signal, never)
  stop.abort(new Error('enough'))
  await t.rejects(waiting, { message: 'enough' })
  await t.rejects(unlessAborted(stop.signal, Promise.resolve('done')), { message: 'enough' }, 'also before')
})

t.test('work that fails after it was given up is not heard of', async (t) => {
  const stop = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const waiting = unlessAborted(stop.signal, promise)
  stop.abort(new Error('enough'))
  await t.rejects(waiting, { message: 'enough' })
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  reject(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
  t.same(unhandled, [])
})
