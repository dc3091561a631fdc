import t from 'tap'
import { Type } from 'typebox'
import { shaped } from '../../gateway/results.ts'

const Thing = Type.Object({ id: Type.String(), at: Type.Optional(Type.Unknown()) })

t.test('what a schema does not name is left out, wherever it stands', async (t) => {
  const thing = { id: 'a', secret: 's' }
  t.same(shaped(Thing, thing), { id: 'a' })
  t.same(shaped(Type.Object({ data: Type.Array(Thing) }), { data: [thing], more: 1 }), {
    data: [{ id: 'a' }]
  })
  const nullable = Type.Object({ thing: Type.Union([Thing, Type.Null()]) })
  t.same(shaped(nullable, { thing }), { thing: { id: 'a' } })
  t.same(shaped(nullable, { thing: null }), { thing: null })
})

t.test('what a schema leaves open goes as it is', async (t) => {
  const open = { any: { thing: ['x'] } }
  t.same(shaped(Type.Object({ id: Type.String(), at: Type.Unknown() }), { id: 'a', at: open }), {
    id: 'a',
    at: open
  })
  t.same(shaped(Type.Record(Type.String(), Type.Unknown()), open), open)
  const at = new Date(0)
  t.equal((shaped(Thing, { id: 'a', at }) as { at: Date }).at, at)
  t.equal(shaped(Thing, 'text'), 'text')
  t.same(Object.keys(shaped(Thing, JSON.parse('{"id":"a","__proto__":{"at":1}}')) as object), ['id'])
})
