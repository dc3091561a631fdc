import t from 'tap'
import { createJoinedWaits } from '../../waits/joined-waits.ts'

t.test('what is waited for by many is done once, until the last of them leaves', async (t) => {
  const joined = createJoinedWaits<string>()
  const begun: { left: AbortSignal; over: (value: string) => void }[] = []
  const work = (left: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    begun.push({ left, over: resolve })
    return promise
  }
  const [one, two] = [new AbortController(), new AbortController()]
  const stays = new AbortController().signal

  const all = [one.signal, two.signal, stays].map((leave) => joined('run', work, leave))
  const other = joined('another', work, stays)
  t.equal(begun.length, 2)
  one.abort()
  t.equal(await all[0], undefined, 'who leaves waits no more')
  t.notOk(begun[0]?.left.aborted, 'the others do')
  begun[0]?.over('done')
  t.same(await Promise.all([all[1], all[2]]), ['done', 'done'])

  const again = joined('run', work, two.signal)
  t.equal(begun.length, 3, 'what is over is begun anew')
  two.abort()
  t.equal(await again, undefined)
  t.ok(begun[2]?.left.aborted, 'nobody waits for it')
  t.equal(await joined('run', work, two.signal), undefined, 'who has left before begins nothing')
  t.equal(begun.length, 3)
  begun[1]?.over('the other')
  t.equal(await other, 'the other')
})

t.test('what fails fails for all of them', async (t) => {
  const joined = createJoinedWaits<string>()
  const stays = new AbortController().signal
  const fail = async () => {
    throw new Error('no luck')
  }
  const all = [1, 2].map(() => joined('run', fail, stays))
  for (const one of all) await t.rejects(one, /no luck/)
})
