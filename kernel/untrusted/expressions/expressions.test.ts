// budget: 9 s, because expressions without an end are given their time
import { randomInt } from 'node:crypto'
import t from 'tap'
import { inShortTurns } from '../../../test/turns.ts'
import { evaluateTemplate, examineTemplate } from './expressions.ts'
import { simply } from './simple.ts'

const ada = { project: 'p', owner: 'ada' }
const context = {
  input: { name: 'Ada', age: 36, tags: ['a', 'b'], one: [5], none: null, deep: { er: { x: 1 } } },
  steps: { fetch: { output: { items: [{ n: 1 }, { n: 2 }] } } }
}
const evaluate = (template: unknown) => evaluateTemplate(ada, template, context)

t.test('a string that is one expression is its value; within text it is text', async (t) => {
  for (const [template, value] of [
    ['{{ input.age }}', 36],
    ['{{input.tags}}', ['a', 'b']],
    ['{{ input.one }}', [5]],
    ['{{ input.none }}', null],
    ['{{ input.missing.more }}', null],
    ['{{ $sum(steps.fetch.output.items.n) }}', 3],
    ['Hello {{ input.name }}, {{ input.age + 1 }}!', 'Hello Ada, 37!'],
    ['{{ input.missing }}-{{ input.none }}-{{ input.deep }}', '--{"er":{"x":1}}'],
    ['{{ {"a": {"b": input.age}} }}', { a: { b: 36 } }],
    ['{{ {"a":{"b":1}}}}', { a: { b: 1 } }],
    ['{{ "{{ and }}" }}', '{{ and }}'],
    ['no expression }}', 'no expression }}'],
    [
      { a: ['{{ input.age }}', '{{ input.missing }}'], b: '{{ input.missing }}', c: 1 },
      { a: [36, null], c: 1 }
    ],
    [{ a: ['{{ input.age + 0 }}', '{{ input.missing }}'], b: '{{ input.missing }}' }, { a: [36, null] }],
    ['{{ $sum }}', null],
    [7, 7]
  ] as const)
    t.same(await evaluate(template), value, JSON.stringify(template))
})

t.test('names alone say the same on this thread as in JSONata', async (t) => {
  const names = [
    'input',
    'input.tags',
    'input.one',
    'input.none',
    'input.deep.er',
    'input.name.length',
    'x',
    'null'
  ]
  for (const name of names) t.same(await evaluate(`{{ ${name} }}`), await evaluate(`{{ (${name}) }}`), name)
  t.same(await evaluate('{{ steps.fetch.output.items.n }}'), [1, 2])
})

t.test('what this thread makes of an expression is what JSONata makes of it', async (t) => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  let state = seed
  const one = <T>(of: readonly T[]): T => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return of[(state >>> 8) % of.length] as T
  }
  const leaves = [
    ...['input.age', 'input.name', 'input.none', 'input.missing', 'input.tags', 'input.deep', 'input.yes'],
    ...['input.one', 'input.empty', 'input.nested', 'input.void', 'input.void.x', 'input.huge', 'input.tiny'],
    ...[
      'input.constructor',
      'input.__proto__',
      'input.toString',
      'input.own.constructor',
      'constructor.name'
    ],
    ...['input.name.length', 'input.tags.length', 'input.one.x', 'input.fox', 'input.own.hasOwnProperty'],
    ...['input.own.__proto__', 'input.own.__proto__.x'],
    ...['9007199254740993', '1e308', '5e-324', '0.1', '"36"', '"🦊"', '"\uffff"'],
    ...[
      '0',
      '1',
      '2.5',
      '1e3',
      '007',
      '"Ada"',
      "'x'",
      '""',
      'true',
      'false',
      'null',
      '- 3',
      '-input.age',
      'yes'
    ]
  ]
  const operators = ['+', '-', '*', '/', '%', '&', '=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in', '~>']
  const random = (depth: number): string => {
    const way = depth === 0 ? 'leaf' : one(['leaf', 'pair', 'pair', 'pair', 'choice', 'inside', 'sign'])
    if (way === 'pair') return `${random(depth - 1) + one([' ', '']) + one(operators)} ${random(depth - 1)}`
    if (way === 'choice') return `${random(depth - 1)} ? ${random(depth - 1)} : ${random(depth - 1)}`
    if (way === 'inside') return `(${random(depth - 1)})`
    return way === 'sign' ? `-${random(depth - 1)}` : one(leaves)
  }
  const strange = {
    yes: true,
    empty: [],
    nested: [[5]],
    void: {},
    huge: 1e308,
    tiny: 5e-324,
    fox: '🦊',
    own: JSON.parse('{"__proto__": {"x": 1}, "constructor": "c", "hasOwnProperty": 1}')
  }
  const seen = { ...context, input: { ...context.input, ...strange } }
  const outcome = (template: string) =>
    evaluateTemplate(ada, template, seen).catch(({ code, message }) => ({ code, message }))
  let simple = 0
  for (let n = 0; n < 1_000; n++) {
    const expression = random(3)
    const here = simply(`{{ ${expression} }}`, seen)
    if (!here) continue
    simple++
    t.same(here.value, await outcome(`{{ ($is := 1; ${expression}) }}`), `${expression} (SEED=${seed})`)
    const text = simply(`a {{ ${expression} }}{{input.name}} }}`, seen)
    const there = await outcome(`a {{ ($is := 1; ${expression}) }}{{($is := 1; input.name)}} }}`)
    if (text) t.same(text.value, there, `as text: ${expression} (SEED=${seed})`)
  }
  t.ok(simple > 100, `${simple} were simple`)
})

t.test(
  'what is nested deeply or goes on for long is what JSONata makes of it, or is left to it',
  async (t) => {
    for (const expression of [
      `${'('.repeat(400)}input.age${')'.repeat(400)}`,
      `${'-'.repeat(401)}input.age`,
      `input.age${'+1'.repeat(450)}`,
      `input.age${' - 1'.repeat(200)} * ${'2 * '.repeat(20)}2`,
      `${'input.age = 1 ? 1 : '.repeat(45)}2`,
      `input${'.deep'.repeat(150)}`
    ]) {
      const here = simply(`{{ ${expression} }}`, context)
      if (here) t.same(here.value, await evaluate(`{{ ($is := 1; ${expression}) }}`), expression.slice(0, 40))
      else t.same(expression.length > 1_000, true, expression.slice(0, 40))
    }
  }
)

t.test('what JSONata has to say itself is left to it', (t) => {
  for (const expression of [
    ...['input.age + input.missing', 'input.tags = input.tags', 'input.name + 1', 'input.age / 0', '1e999'],
    ...['input.deep & ""', 'a\u00a0+ 1', 'input.age ?? 1', '"\\n"', '(input.tags)', '1 +', '', '(1', '1 2'],
    `"${'x'.repeat(1_000)}" = "x"`
  ])
    t.equal(simply(`{{ ${expression} }}`, context), undefined, expression)
  t.equal(simply('{{ input.long = "x" }}', { input: { long: 'x'.repeat(2_000) } }), undefined)
  t.equal(simply('{{ a }}{{ a }}', { a: 'x'.repeat(40_000) }), undefined)
  t.end()
})

t.test('what goes wrong has a code, and a text without an end of its own', async (t) => {
  for (const [template, code] of [
    ['{{ input. }}', 'expression_failed'],
    ['{{ input', 'expression_failed'],
    ['{{ input.name + 1 }}', 'expression_failed'],
    ['{{ $eval("1") }}', 'expression_failed'],
    ['{{ $error("x") }}', 'expression_failed'],
    ['{{ $unheard(1) }}', 'expression_failed'],
    ['{{ {"__proto__": {"x": 1}} }}', 'expression_failed'],
    ['{{ ($f := function($x){ $f($x) }; $f(1)) }}', 'expression_limit'],
    ['{{ ($f := function($x){ 1 + $f($x) }; $f(1)) }}', 'expression_limit'],
    ['{{ $map([1..10000000], function($x){ $x * 2 }) }}', 'expression_limit'],
    ['{{ [1..100000000] }}', 'expression_limit'],
    ['{{ [1..90000].("0123456789") }}', 'expression_limit'],
    ['{{ $pad("x", 400000) }}', 'expression_limit'],
    ['{{ $pad("x", 4000000000) }}', 'expression_limit'],
    ['{{ ($f := function($s, $n){ $n = 0 ? $s : $f($s & $s, $n - 1) }; $f("x", 28)) }}', 'expression_limit'],
    ['{{ ($f := function($s, $n){ $n = 0 ? $s : $f($s & $s, $n - 1) }; $f("x", 40)) }}', 'expression_limit'],
    [`{{ $match("${'a'.repeat(60)}b", /^(a+)+$/) }}`, 'expression_limit'],
    [`{{ ${'['.repeat(5_000)}${']'.repeat(5_000)} }}`, 'expression_limit'],
    [`{{ ${'(1+'.repeat(5_000)}1${')'.repeat(5_000)} }}`, 'expression_limit']
  ] as const) {
    const error = await evaluate(template).then(
      (value) => ({ code: `none: ${JSON.stringify(value).slice(0, 60)}`, message: '' }),
      (error) => error
    )
    t.equal(error.code, code, template.slice(0, 80))
    t.ok(error.message.length <= 300)
  }
  t.equal(await evaluate('{{ 1 + 1 }}'), 2, 'and the next one is answered')
})

t.test('nothing is reached but what is given', async (t) => {
  for (const text of [
    '__proto__',
    'constructor',
    'input.name.constructor',
    '$lookup($, "constructor")',
    '$lookup($$, "__proto__")',
    '$string.constructor',
    '$constructor',
    'process',
    '$process'
  ])
    t.equal(await evaluate(`{{ (${text}) }}`), null, text)
})

t.test('others are answered while one has no end', async (t) => {
  let order: string[] = []
  const asked = (owner: string, template: string) =>
    evaluateTemplate({ project: owner, owner }, template, context).then(
      () => order.push(owner),
      () => order.push(owner)
    )
  const endless = '{{ ($f := function($x){ $f($x) }; $f(1)) }}'
  await inShortTurns(t, () => {
    order = []
    return Promise.all([
      ...Array.from({ length: 8 }, () => asked('eve', endless)),
      asked('ada', '{{ 1 + 1 }}')
    ])
  })
  t.ok(order.indexOf('ada') <= 5, `at ${order.indexOf('ada')}`)
})

t.test('what a template refers to is known without a context', async (t) => {
  const { faults, references } = await examineTemplate(ada, {
    a: '{{ input.name & steps.fetch.output.items[n > input2].(x + $$.input.y) }}',
    b: ['{{ $map(input.tags, function($v){ $v.z & steps.other.output }) }}', '{{ 1 + }}', '{{ 1 + "a" }}'],
    c: '{{ steps }} {{ $keys($) }} {{ $sort(input.l, function($a, $b){ $a.n > $b.n }) ~> $count }}'
  })
  const paths = references.map(({ at, path }) => `${at} ${path.join('.')}`).sort()
  t.same(paths, [
    '/a input.name',
    '/a input.y',
    '/a steps.fetch.output.items',
    '/b/0 input.tags',
    '/b/0 steps.other.output',
    '/c ',
    '/c input.l',
    '/c steps'
  ])
  t.same(
    faults.map(({ at }) => at),
    ['/b/1', '/b/2']
  )
})
