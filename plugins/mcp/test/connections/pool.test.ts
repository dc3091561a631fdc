import t from 'tap'
import type { Connection } from '../../connections/connection.ts'
import { createPool } from '../../connections/pool.ts'

const refused = { kind: 'unavailable', code: 'too_many_connections' }

t.test('a project leaves connections to others, however long it uses its own', async (t) => {
  const pool = createPool({ most: 8, idleSeconds: 60 }, undefined)
  t.teardown(() => pool.closeAll())
  const connection = { isClosed: () => false, close: async () => {} } as unknown as Connection
  const end = Promise.withResolvers<string>()
  const use = (project: string, id: string) =>
    pool.use(
      { project, id, generation: 1 },
      async () => connection,
      () => end.promise,
      false
    )

  const crowd = Array.from({ length: 6 }, (_, n) => use('crowd', `one-${n}`))
  await t.rejects(use('crowd', 'one-6'), refused)
  const quiet = use('quiet', 'other')
  await t.rejects(use('crowd', 'one-6'), refused, 'still')
  const again = use('crowd', 'one-0')
  end.resolve('done')
  t.same(
    await Promise.all([...crowd, quiet, again]),
    Array(8).fill('done'),
    'one that is open is used by more'
  )
  t.equal(await use('crowd', 'one-6'), 'done', 'afterwards there is room')
})

t.test('one connection is enough for one server at a time', async (t) => {
  const pool = createPool({ most: 1, idleSeconds: 60 }, undefined)
  t.teardown(() => pool.closeAll())
  const closed: string[] = []
  const open = (id: string) => async () =>
    ({ isClosed: () => false, close: async () => void closed.push(id) }) as unknown as Connection
  const use = (id: string, work: () => Promise<string>) =>
    pool.use({ project: 'p', id, generation: 1 }, open(id), work, false)

  const end = Promise.withResolvers<string>()
  const first = use('one', () => end.promise)
  await t.rejects(
    use('two', async () => 'no room'),
    refused
  )
  end.resolve('done')
  t.equal(await first, 'done')
  t.equal(await use('two', async () => 'done'), 'done', 'what is idle is closed for it')
  t.same(closed, ['one'])
})
