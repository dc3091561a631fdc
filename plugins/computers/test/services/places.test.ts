import t from 'tap'
import { createPlaces } from '../../services/places.ts'

t.test('two owners with long work leave room for others', async (t) => {
  const places = createPlaces({ most: 16, mostOfOwner: 10 })
  const take = async (owner: string, times: number) => {
    const taken = await Promise.all(Array.from({ length: times }, () => places.take(owner, 0)))
    return taken.filter((it) => it !== undefined)
  }
  const [ada, bob] = [await take('ada', 16), await take('bob', 16)]
  t.equal(ada.length, 8)
  t.equal(bob.length, 4)
  for (const late of ['eve', 'joe', 'kim']) t.ok((await take(late, 16)).length >= 1, `${late} has a place`)
})

t.test('who holds least is next', async (t) => {
  const places = createPlaces({ most: 3, mostOfOwner: 3 })
  const order: string[] = []
  const take = async (owner: string) => {
    const leave = await places.take(owner, 60_000)
    order.push(owner)
    return leave
  }
  const [first, second] = [await take('ada'), await take('bob')]
  const third = await take('eve')
  const waiting = [take('ada'), take('joe')]
  t.equal(places.waiting('joe'), 1)
  second?.()
  await waiting[1]
  t.same(order, ['ada', 'bob', 'eve', 'joe'], 'though ada has waited longer')
  first?.()
  third?.()
  await waiting[0]
  t.equal(order.at(-1), 'ada')
})

t.test('one whose turn does not come in time does without', async (t) => {
  const places = createPlaces({ most: 2, mostOfOwner: 2 })
  const leave = await places.take('ada', 0)
  t.equal(await places.take('ada', 1), undefined)
  t.equal(places.waiting('ada'), 0)
  leave?.()
  leave?.()
  t.ok(await places.take('ada', 0), 'a place is given back once')
  t.equal(await places.take('ada', 1), undefined)
})
