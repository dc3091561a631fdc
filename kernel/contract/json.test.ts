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

t.test('it is the canonical form of RFC 8785', (t) => {
  // Its example of section 3.2.3, and the names of members of 3.2.2.
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
  t.equal(
    canonicalJson(Object.fromEntries(names.map((name) => [name, 0]))),
    `{${['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'].map((name) => `${JSON.stringify(name)}:0`).join()}}`
  )
  t.equal(canonicalJson({ 10: 1, 9: 2 }), '{"10":1,"9":2}', 'by the text of the name, not by its number')
  t.equal(
    canonicalJson({
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0],
      literals: [null, true, false]
    }),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}'
  )
  t.equal(
    canonicalJson({ none: undefined, at: new Date(0), list: [undefined] }),
    '{"at":"1970-01-01T00:00:00.000Z","list":[null]}'
  )
  t.equal(canonicalJson(undefined), undefined)
  t.end()
})

t.test('how deep a value is, no deeper than asked', (t) => {
  t.equal(depthOf(1, 10), 0)
  t.equal(depthOf({ a: { b: [1] } }, 10), 3)
  t.ok(depthOf(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), 10) > 10)
  t.end()
})
