import t from 'tap'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { Name, OrNull } from '../contract/schemas.ts'
import { EmptyBody, serializerWhenNeeded, validatorCompiler, validatorWhenNeeded } from './validation.ts'

const message = (schema: TSchema, value: unknown, httpPart = 'body') => {
  const validate = validatorCompiler({ schema: schema as never, httpPart } as never)
  return (validate(value) as { error?: Error }).error?.message
}

t.test('what is wrong is told with its limit and its allowed values', async (t) => {
  const choice = Type.Union([Type.Literal('allow'), Type.Literal('ask')])
  const Body = Type.Object({
    temperature: Type.Optional(OrNull(Type.Number({ minimum: 0, maximum: 2 }))),
    instructions: Type.Optional(OrNull(Type.String({ maxLength: 5 }))),
    policy: Type.Optional(choice),
    mode: Type.Optional(OrNull(choice)),
    level: Type.Optional(OrNull(Type.Enum(['low', 'high']))),
    fixed: Type.Optional(Type.Literal('one')),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    either: Type.Optional(Type.Union([Type.Literal('all'), choice, Type.Array(Type.String())])),
    messages: Type.Optional(
      Type.Array(
        Type.Object({ role: Type.Union([Type.Literal('user'), Type.Literal('system')]), text: Type.String() })
      )
    ),
    inner: Type.Optional(OrNull(Type.Object({ count: Type.Integer({ minimum: 1 }) }))),
    text: Type.Optional(Type.String({ minLength: 1, pattern: '\\S' })),
    name: Type.Optional(Name())
  })
  const NO_NAME = '/name must not be blank, begin or end with white space, or have control characters'
  for (const [body, told] of [
    [{ temperature: 3 }, '/temperature must be <= 2'],
    [{ temperature: 'warm' }, '/temperature must be number or null'],
    [{ instructions: 'too long' }, '/instructions must NOT have more than 5 characters'],
    [{ policy: 'deny' }, '/policy must be one of allow, ask'],
    [{ mode: 'deny' }, '/mode must be one of allow, ask, null'],
    [{ level: 'top' }, '/level must be one of low, high, null'],
    [{ fixed: 'two' }, '/fixed must be one'],
    [{ either: 'none' }, '/either must be one of all, allow, ask, array'],
    [{ id: true }, '/id must be string or integer'],
    [{ messages: [{ role: 'tool', text: 'x' }] }, '/messages/0/role must be one of user, system'],
    [{ messages: [{ role: 'user' }] }, '/messages/0/text is required'],
    [{ inner: { count: 0 } }, '/inner/count must be >= 1'],
    [{ inner: {} }, '/inner/count is required'],
    [{ inner: { count: 1, x: 1 } }, '/inner/x is not known'],
    [{ inner: 5 }, '/inner must be object or null'],
    [{ text: '  ' }, '/text must not be blank'],
    [{ name: ' Ada' }, NO_NAME],
    [{ name: 'A\nda' }, NO_NAME],
    [{ name: 5 }, '/name must be string'],
    [{ nope: 1 }, '/nope is not known'],
    ['text', 'The body must be object']
  ] as const)
    t.equal(message(Body, body), told, JSON.stringify(body))
  for (const body of [
    { name: 'Ada de Á. 🦊' },
    { temperature: null, mode: null, level: 'low', id: 5, inner: null },
    {}
  ])
    t.equal(message(Body, body), undefined)

  t.equal(message(EmptyBody as never, { a: 1 }), '/a is not known')
  const Query = Type.Object({
    kind: Type.Optional(choice),
    limit: Type.Optional(Type.Integer({ maximum: 100 }))
  })
  t.equal(message(Query, { kind: 'x' }, 'querystring'), 'kind must be one of allow, ask')
  t.equal(message(Query, { limit: '101' }, 'querystring'), 'limit must be <= 100')
})

t.test('a time is one that JavaScript and a database know', async (t) => {
  const Body = Type.Object({ at: Type.String({ format: 'date-time' }) })
  for (const at of ['2026-11-23T02:00:00Z', '1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999+02:00'])
    t.equal(message(Body, { at }), undefined, at)
  for (const at of [
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '2016-12-31T23:59:60Z',
    '9999-12-31T23:59:59-23:59',
    '2026-02-30T00:00:00Z'
  ]) {
    t.match(message(Body, { at }), /^\/at /, at)
    t.match(message(Body, { at }, 'querystring'), /^at /, at)
  }
})

t.test('what is known to compile is compiled when it is needed, and holds as ever', async (t) => {
  const route = { method: 'POST', url: '/notes', httpPart: 'body' }
  const broken = { ...route, schema: { type: 'string', pattern: '(' } }
  t.throws(() => validatorCompiler(broken as never))
  const late = validatorWhenNeeded(broken as never)
  t.throws(() => late('a'))

  const schema = Type.Object({ title: Type.String({ maxLength: 2 }) })
  const validate = validatorWhenNeeded({ ...route, schema } as never)
  t.match(validate({ title: 'abc' }), { error: { message: /title/ } })
  t.strictSame(validate({ title: 'ab' }), { value: { title: 'ab' } })
  const reply = Type.Object({ id: Type.String() })
  const serialize = serializerWhenNeeded({ ...route, schema: reply, httpStatus: '200' } as never)
  t.equal(serialize({ id: 'a', secret: 'b' } as never), '{"id":"a"}')
})
