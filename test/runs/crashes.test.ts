// tier: whole
import t from 'tap'
import { faultsOf } from './account.ts'
import { town } from './town.ts'

const WORDS = 40
const PACE = 20

t.test(
  'runs that were under way in processes that died are tried alone, later, and not for ever',
  async (t) => {
    const place = await town(t)
    const victim = await place.spawn()
    const begin = () =>
      place.begin(victim, place.story({ words: WORDS, pace: PACE }), {}, { elsewhere: place })
    const [first, one, other, last] = [await begin(), await begin(), await begin(), await begin()]
    for (const { reader } of [first, one, other, last]) await reader.until(({ type }) => type === 'token')
    const { knex } = place.home.platform
    // As if they had been under way in others that died before.
    await knex('runs.run').whereIn('id', [one.id, other.id]).update({ crashes: 1 })
    await knex('runs.run').where({ id: last.id }).update({ crashes: 2 })
    await victim.kill()

    t.match((await last.reader.over.catch(() => last.reader.events)).at(-1), {
      type: 'error',
      code: 'too_many_attempts'
    })
    for (const run of [first, one, other]) t.same(await faultsOf(place, run), [])
    const triedAgain = ({ story: { name } }: typeof first) => place.model.of(name)[1]?.at ?? Number.NaN
    const [early = Number.NaN, late = Number.NaN] = [triedAgain(one), triedAgain(other)].toSorted(
      (a, b) => a - b
    )
    t.ok(early - triedAgain(first) > 1_000, 'those that were in two processes come later')
    t.ok(late - early > WORDS * PACE, 'and one after the other')
    const rows = await knex('runs.run').orderBy('crashes').pluck('crashes')
    t.same(rows, [1, 2, 2, 3])
  }
)
