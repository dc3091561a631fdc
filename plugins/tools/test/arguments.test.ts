import type { Principal } from 'agent-platform'
import t from 'tap'
import { Type } from 'typebox'
import { faultOfArguments } from '../services/arguments.ts'

const by = { project: 'default', owner: 'ada' } as Principal
const fault = async (parameters: object, args: unknown, kind = 'http') => {
  const checkable = { kind, parameters: JSON.parse(JSON.stringify(parameters)) }
  return (await faultOfArguments(by, checkable, args))?.text
}
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

t.test('one line says what is wrong, without what was given', async (t) => {
  const parameters = object(
    {
      city: { type: 'string', minLength: 2 },
      units: { enum: ['metric', 'imperial'] },
      to: {
        type: 'array',
        items: object({ mail: { type: 'string', format: 'email' } }, { required: ['mail'] })
      },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      'a/b': { const: 1 }
    },
    { required: ['city'], additionalProperties: false }
  )
  const cases: [unknown, string | undefined][] = [
    [{ city: 'Rome' }, undefined],
    [{}, '/city is required'],
    [{ city: 7 }, '/city must be string'],
    [{ city: 'x' }, '/city must NOT have fewer than 2 characters'],
    [{ city: 'Rome', sky: 1 }, '/sky is not known'],
    [{ city: 'Rome', units: 'secret' }, '/units must be one of "metric", "imperial"'],
    [{ city: 'Rome', to: [{ mail: 'a@example.com' }, {}] }, '/to/1/mail is required'],
    [{ city: 'Rome', to: [{ mail: 'secret' }] }, '/to/0/mail must match format "email"'],
    [{ city: 'Rome', either: 7 }, '/either must be string or must be null'],
    [{ city: 'Rome', 'a/b': 2 }, '/a~1b must be 1'],
    [null, 'The arguments must be an object'],
    [[], 'The arguments must be an object'],
    ['{}', 'The arguments must be an object'],
    [undefined, 'The arguments must be an object']
  ]
  for (const kind of ['http', 'static'])
    for (const [args, said] of cases) t.equal(await fault(parameters, args, kind), said, JSON.stringify(args))
  const long = await fault(object({ [`a\n${'x'.repeat(1_000)}`]: { type: 'string' } }), {
    [`a\n${'x'.repeat(1_000)}`]: 1
  })
  t.match(long, /^.{501}$/, 'on one line, and not too long a one')
})

t.test('schemas of TypeBox, old and new, and of both drafts', async (t) => {
  const made = Type.Object({
    pair: Type.Tuple([Type.String(), Type.Number()]),
    kind: Type.Union([Type.Literal('a'), Type.Null()]),
    map: Type.Optional(Type.Record(Type.String(), Type.Integer()))
  })
  t.equal(await fault(made, { pair: ['x', 1], kind: 'a', map: { n: 1 } }), undefined)
  t.equal(await fault(made, { pair: ['x', 'y'], kind: 'a' }), '/pair/1 must be number')
  t.equal(await fault(made, { pair: ['x', 1, 2], kind: 'a' }), '/pair must NOT have more than 2 items')
  t.equal(await fault(made, { pair: ['x', 1], kind: 'a', map: { n: 'x' } }), '/map/n must be integer')
  // As @sinclair/typebox 0.34 writes them.
  const items = [{ type: 'string' }, { type: 'number' }]
  const old = { type: 'array', items, additionalItems: false, minItems: 2, maxItems: 2 }
  t.equal(await fault(object({ pair: old }), { pair: ['x', 'y'] }), '/pair/1 must be number')
  const $schema = 'http://json-schema.org/draft-07/schema#'
  t.equal(
    await fault(object({ pair: old }, { $schema }), { pair: ['x'] }),
    '/pair must NOT have fewer than 2 items'
  )
  const recent = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
  const tuple = { type: 'array', prefixItems: items, items: false }
  t.equal(await fault(object({ pair: tuple }, recent), { pair: ['x', 'y'] }), '/pair/1 must be number')
  const refs = { $defs: { node: object({ next: { $ref: '#/$defs/node' }, v: { type: 'string' } }) } }
  t.equal(
    await fault(object({ n: { $ref: '#/$defs/node' } }, refs), { n: { next: { v: 1 } } }),
    '/n/next/v must be string'
  )
})

t.test('what cannot be checked is told, and costs its call only', async (t) => {
  const broken: object[] = [
    { type: 'nonsense' },
    object({ a: { $ref: '#/none' } }),
    object({ a: { pattern: '(' } }),
    { $schema: 'http://json-schema.org/draft-04/schema#' }
  ]
  for (const parameters of broken) t.match(await fault(parameters, {}), /no valid JSON Schema/)
  t.match(await fault({ type: 'object', $ref: '#' }, { a: 1 }), /cannot be checked/)
  const words = [...Array(6_000).keys(), 'z'].map(String)
  const slow: [object, object][] = [
    [object({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(60)}b` }],
    [object({ a: { uniqueItems: true } }), { a: Array.from({ length: 30_000 }, (_, at) => ({ at })) }],
    // Neither is long, but one times the other is.
    [object({ a: { items: { enum: words } } }), { a: Array(200_000).fill('z') }]
  ]
  for (const [parameters, args] of slow)
    t.equal(await fault(parameters, args), 'The arguments cannot be checked in time')
  t.equal(await fault(slow[0]?.[0] as object, { a: 'aaa' }), undefined, 'and the next one is checked')
})

t.test('a schema knows no names of another one', async (t) => {
  const named = (type: string) => ({
    $id: 'https://example.com/one',
    ...object({ a: { $ref: '#/$defs/a' } }),
    $defs: { a: { type } }
  })
  t.equal(await fault(named('string'), { a: 'x' }), undefined)
  t.equal(await fault(named('number'), { a: 'x' }), '/a must be number')
  t.match(await fault(object({ a: { $ref: 'https://example.com/one' } }), { a: 1 }), /no valid JSON Schema/)
  t.equal(await fault(object({ __proto__: null, constructor: { type: 'string' } }), {}), undefined)
})
