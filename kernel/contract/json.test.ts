import t from 'tap'
import { depthOf } from '../untrusted/depth.ts'
import { canonicalJson, digestOf } from './json.ts'

t.test('a value is the same in whatever order its members came', (t) => {
  t.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}')
  t.equal(digestOf({ b: 1, a: { d: 2, c: 3 } }), digestOf({ a: { c: 3, d: 2 }, b: 1 }))
  t.not(digestOf({ a: [1, 2] }), digestOf({ a: [2, 1] }))
  t.not(digestOf('a'), digestOf({ a: 1 }))
  t.equal(digestOf(Buffer.from('1')), digestOf(1), 'bytes count as they are')
  t.end()
})

t.test('how deep a value is, no deeper than asked', (t) => {
  t.equal(depthOf(1, 10), 0)
  t.equal(depthOf({ a: { b: [1] } }, 10), 3)
  t.ok(depthOf(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), 10) > 10)
  t.end()
})
