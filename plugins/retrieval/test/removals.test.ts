// budget: 5 s, because packs are turned off and on
import t from 'tap'
import { refill } from '../../../test/packs/entries.ts'
import type { Removals } from '../services/removals.ts'
import { papers, platform, shelve } from './testbed.ts'

const running = platform(t)
const collection = 'papers.paper'

async function sweep() {
  const pack = (await running).platform.server.current().packs.get('retrieval')
  const { removals } = (pack as { deps: unknown }).deps as { removals: Removals }
  await removals.worker.work({}, AbortSignal.timeout(30_000))
}
const turn = async (enabled: boolean) => (await running).admin.put('/v1/packs/papers', { enabled })
async function tables() {
  const { knex } = (await running).platform
  const count = async (name: string) =>
    Number((await knex(`retrieval.${name}`).where({ collection }).count())[0]?.count)
  const noted = async () => (await knex('retrieval.absence').select('collection')).map((it) => it.collection)
  /** As if so many days had passed since then. */
  const pass = (days: number) =>
    knex.raw('update retrieval.absence set since = since - make_interval(days => ?)', [days])
  return { knex, count, noted, pass }
}

t.test('entries of a pack that is off are kept for the days of the setting, and then go', async (t) => {
  const [one, two] = [papers(await running, 'one'), papers(await running, 'two')]
  const { knex, count, noted, pass } = await tables()
  const entry = { id: 'train', scope: 'a', text: 'The railway carriage departs at noon.' }
  await one.put(entry)
  await two.put(entry)
  t.ok(await one.embedded('train'))
  t.ok(await two.embedded('train'))
  // More than go at a time.
  await knex.raw(
    `insert into retrieval.entry (project, collection, entry, owner, scope, text, words, failed)
      select 'two', ?, 'e' || n, 'user_ada', 'a', '', '', true from generate_series(1, 1200) n`,
    [collection]
  )
  // Of a collection that another pack had, and that is due at another time.
  await knex.raw(
    `insert into retrieval.entry (project, collection, entry, owner, scope, text, words, failed)
      values ('one', 'notes.note', 'n', 'user_ada', 'a', '', '', true)`
  )
  await sweep()
  t.same(await noted(), ['notes.note'], 'what a pack contributes is not noted')

  t.match(await turn(false), { status: 200 })
  await sweep()
  t.same((await noted()).sort(), ['notes.note', collection])
  await pass(29)
  await sweep()
  t.equal(await count('entry'), 1_202, 'not yet')

  t.match(await turn(true), { status: 200 })
  await sweep()
  t.same(await noted(), ['notes.note'], 'it is back')
  t.equal((await one.search('a train', ['a']))[0]?.id, 'train', 'and has lost nothing')
  t.match(await turn(false), { status: 200 })
  await sweep()
  await pass(29)
  await sweep()
  t.equal(await count('entry'), 1_202, 'the days began anew')
  t.equal(Number((await knex('retrieval.entry').where({ collection: 'notes.note' }).count())[0]?.count), 0)

  await pass(1)
  await sweep()
  t.equal(await count('entry'), 0)
  t.equal(await count('vector'), 0)
  t.same(await noted(), [collection])
  await sweep()
  t.same(await noted(), [], 'nothing is left to wait for')
})

t.test('a pack that comes back after that is asked for its entries', async (t) => {
  const { knex, count } = await tables()
  const losses = () =>
    knex('retrieval.loss').where({ collection }).orderBy('project').select('project', 'after')
  t.match(await losses(), [
    { project: 'one', after: '' },
    { project: 'two', after: '' }
  ])
  await refill(await running)
  t.equal((await losses()).length, 2, 'it is off')

  const text = 'The railway carriage departs at noon.'
  const entry = { id: 'train', scope: 'a', text, owner: 'user_ada' }
  const many = Array.from({ length: 1_100 }, (_, n) => ({
    ...entry,
    id: `e${String(n).padStart(4, '0')}`,
    owner: `user_${n % 2}`,
    text: ''
  }))
  shelve({ one: [entry], two: many })
  t.match(await turn(true), { status: 200 })
  await refill(await running)
  t.same(await losses(), [])
  t.equal(await count('entry'), 1_101)
  const owners = knex('retrieval.entry').where({ project: 'two' }).groupBy('owner').orderBy('owner')
  t.match(await owners.select('owner').count(), [
    { owner: 'user_0', count: '550' },
    { owner: 'user_1', count: '550' }
  ])
  const one = papers(await running, 'one')
  t.ok(await one.embedded('train'))
  t.match(await one.search('a train', ['a']), [{ id: 'train', why: { vector: { rank: 1 } } }])
  await one.remove({ ids: ['train'] })
  await refill(await running)
  t.equal(await count('entry'), 1_100, 'it is asked once')
})
