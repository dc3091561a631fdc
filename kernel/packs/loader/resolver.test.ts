import t from 'tap'
import { resolve } from './resolver.ts'

const packs = (wanted: Readonly<Record<string, { requires?: string[]; uses?: string[] }>>) =>
  new Map(Object.entries(wanted))

t.test('what is required or used comes first, ties by name', async (t) => {
  const { order, refused } = resolve(
    packs({
      goals: { requires: ['agents'], uses: ['tools'] },
      zebra: {},
      agents: {},
      tools: { uses: ['zebra'] },
      notes: { uses: ['not-there'] }
    })
  )
  t.same(order, ['agents', 'notes', 'zebra', 'tools', 'goals'])
  t.equal(refused.size, 0)
})

t.test(
  'a missing requirement refuses the pack and those that require it, not those that use it',
  async (t) => {
    const { order, refused } = resolve(
      packs({
        a: { requires: ['gone'] },
        b: { requires: ['a'] },
        c: { requires: ['b'] },
        d: { uses: ['c', 'gone'] }
      })
    )
    t.same(order, ['d'])
    t.same(Object.fromEntries(refused), {
      a: 'requires gone, which is not there',
      b: 'requires a, which is refused itself',
      c: 'requires b, which is refused itself'
    })
  }
)

t.test('a cycle refuses the packs on it and those that require them, and is shown', async (t) => {
  const { order, refused } = resolve(
    packs({
      a: { requires: ['b'] },
      b: { uses: ['a'] },
      c: { requires: ['a'] },
      d: { uses: ['a'] },
      e: { uses: ['f'] },
      f: { uses: ['g'] },
      g: { requires: ['e'] },
      self: { uses: ['self'] },
      free: {}
    })
  )
  t.same(order, ['d', 'free'])
  t.same(Object.fromEntries(refused), {
    a: 'lies on a cycle: a → b → a',
    b: 'lies on a cycle: b → a → b',
    c: 'requires a, which is refused itself',
    e: 'lies on a cycle: e → f → g → e',
    f: 'lies on a cycle: f → g → e → f',
    g: 'lies on a cycle: g → e → f → g',
    self: 'lies on a cycle: self → self'
  })
})

t.test('a pack that is refused already makes no cycle', async (t) => {
  const { order, refused } = resolve(packs({ a: { requires: ['b', 'gone'] }, b: { uses: ['a'] } }))
  t.same(order, ['b'])
  t.same([...refused.keys()], ['a'])
})
