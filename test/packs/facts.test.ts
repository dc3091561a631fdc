import type { Knex } from 'knex'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { stage, statusOf, until } from './stage.ts'

const packs = ['letters', 'tally', 'mirror']
const send = async (by: Pick<Booted, 'as'>, text = 'dear') =>
  (await by.as('ada').post('/v1/letters', { text })).body.data.id as string
const counts = async (by: Booted) => (await by.as('ada').get('/v1/tally')).body.data
const once = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 1]))
/** The next attempt of what is held back is due. */
const hurry = (knex: Knex, attempts?: number) =>
  knex('kernel.fact_held')
    .where({ pack: 'tally' })
    .whereNotNull('nextAt')
    .update({ nextAt: knex.fn.now(), ...(attempts && { attempts }) })

t.test('a fact is written with what made it true, or not at all', async (t) => {
  const booted = await stage(t, packs)
  const { as, platform, settled } = booted
  t.match(await as('ada').post('/v1/letters', { text: 'lost on the way' }), { status: 500 })
  t.same(await platform.knex('letters.letter'), [])
  t.same(await platform.knex('kernel.fact').where({ name: 'letters.sent' }), [])
  const id = await send(booted)
  await settled()
  t.same(await counts(booted), once([id]))
})

t.test('two instances count nothing twice, also while packs are reloaded', async (t) => {
  const first = await stage(t, packs)
  const second = await stage(t, packs, { beside: first })
  const ids: string[] = []
  const writing = Array.from({ length: 6 }, async (_, writer) => {
    for (let n = 0; n < 15; n++) ids.push(await send(writer % 2 ? first : second))
  })
  for (let n = 0; n < 4; n++) {
    t.match(await first.admin.post('/v1/packs/tally/reload'), { status: 200 })
    t.match(await second.admin.post('/v1/packs/letters/reload'), { status: 200 })
  }
  await Promise.all(writing)
  await Promise.all([first.settled(), second.settled()])
  t.equal(ids.length, 90)
  t.same(await counts(first), once(ids))
})

t.test('a pack that was off catches up, but gets nothing from before it first listened', async (t) => {
  const booted = await stage(t, ['letters'])
  const { admin, settled } = booted
  await send(booted)
  await admin.put('/v1/packs/tally', { enabled: true })
  const ids = [await send(booted)]
  await settled()
  await admin.put('/v1/packs/tally', { enabled: false })
  ids.push(await send(booted), await send(booted))
  await settled()
  await admin.put('/v1/packs/tally', { enabled: true })
  await settled()
  t.same(await counts(booted), once(ids))
})

t.test(
  'a handler that fails leaves nothing behind, holds back its subject only, and is tried again',
  async (t) => {
    const booted = await stage(t, packs)
    const { admin, platform, settled } = booted
    await admin.put('/v1/packs/tally', { settings: { refuse: 'bad' } })
    const bad = await send(booted, 'a bad one')
    const good = await send(booted, 'a fine one')
    await settled()
    t.same(await counts(booted), once([good]), 'its effects are undone, other subjects go on')
    t.match(await platform.knex('kernel.fact_held').first(), { pack: 'tally', attempts: 1, error: /refused/ })
    await admin.put('/v1/packs/tally', { settings: { refuse: null } })
    await hurry(platform.knex)
    await settled()
    t.same(await counts(booted), once([bad, good]), 'the handler of the generation then current')
    t.same(await platform.knex('kernel.fact_held'), [])
  }
)

t.test('after its last attempt a fact is dead-lettered, shown, and can be replayed', async (t) => {
  const booted = await stage(t, packs)
  const { admin, as, platform, settled } = booted
  await admin.put('/v1/packs/tally', { settings: { refuse: 'bad' } })
  const bad = await send(booted, 'a bad one')
  await settled()
  await hurry(platform.knex, 19)
  const shown = await until(
    () => statusOf(admin, 'tally'),
    ({ deadLettered }) => deadLettered.length > 0
  )
  t.match(shown.deadLettered, [
    { name: 'letters.sent', subject: bad, attempts: 20, error: /refused/, deadLetteredAt: String }
  ])
  t.same((await statusOf(admin, 'mirror')).deadLettered, [])
  const replay = `/v1/packs/tally/dead-lettered/${shown.deadLettered[0].id}/replay`
  t.match(await as('ada').post(replay), { status: 403 })
  t.match(await admin.post(replay), { body: { data: { handled: false, error: /refused/ } } })
  await admin.put('/v1/packs/tally', { settings: { refuse: null } })
  const { status, body } = await admin.post(replay)
  t.strictSame([status, body.data], [200, { id: shown.deadLettered[0].id, handled: true, error: null }])
  t.same((await statusOf(admin, 'tally')).deadLettered, [])
  t.same(await counts(booted), once([bad]))
  t.match(await admin.post(replay), { status: 404 })
})

t.test('a transaction that commits late is not skipped', async (t) => {
  const booted = await stage(t, packs)
  const { platform, settled, as } = booted
  const begun = await send(booted)
  const by = { id: 'ada', project: 'default', owner: 'ada' } as never
  const late = await platform.knex.transaction()
  const data = { id: 'letter_late', text: 'late', owner: 'ada' }
  await platform.facts.record(late, 'letters.sent', by, { subject: data.id, owner: 'ada', data })
  const early = await send(booted)
  t.match((await as('ada').get(`/v1/mirror/${early}`)).status, 200)
  await until(
    async () => Object.keys(await counts(booted)),
    (ids) => ids.includes(begun)
  )
  await late.commit()
  await settled()
  t.same(await counts(booted), once([begun, early, 'letter_late']))
})
