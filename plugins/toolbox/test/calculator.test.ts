import t from 'tap'
import { createCalculator } from '../tools/calculator.ts'
import { calling } from './testbed.ts'

const calculate = calling(createCalculator())
const of = async (expression: string) => {
  const { output, isError = false } = await calculate({ expression })
  return isError ? { error: String(output) } : (output as { result: number | boolean })
}

t.test('it computes what is written', async (t) => {
  for (const [expression, result] of [
    ['12 * (3 + 4) ^ 2', 588],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['0.1 + 0.2', 0.3],
    ['7 % 4', 3],
    ['5!', 120],
    ['fac(20)', 2432902008176640000],
    ['sqrt(2) * sqrt(2)', 2],
    ['sin(PI / 2)', 1],
    ['max(1, 7, 3) - min(4, 2)', 5],
    ['roundTo(2 / 3, 3)', 0.667],
    ['9007199254740991', 9007199254740991],
    ['1e300 * 10', 1e301],
    ['3 > 2 and 2 > 1', true],
    ['1 == 2', false],
    ['3 > 2 ? 10 : 20', 10],
    ['log10(1000)', 3]
  ] as const)
    t.same(await of(expression), { result }, expression)
})

t.test('what cannot be computed is said', async (t) => {
  for (const [expression, error] of [
    ['1 / 0', /too large, or a division by zero/],
    ['fac(1000)', /too large/],
    ['10 ^ 10 ^ 10', /too large/],
    ['sqrt(-1)', /not defined/],
    ['2 +', /cannot be computed/],
    ['(1', /cannot be computed/],
    ['x + 1', /undefined variable: x/],
    ['sin', /gives no number/],
    ['fac', /gives no number/]
  ] as const)
    t.match(await of(expression), { error }, expression)
})

t.test('nothing but numbers is within reach', async (t) => {
  for (const expression of [
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty(1)',
    'toString()',
    'constructor.constructor("return process")()',
    'PI.constructor',
    'sin.constructor',
    '"a" || "b"',
    "'text'",
    '[1, 2, 3]',
    'sum([1])',
    'map(sin, 1)',
    'length 5',
    'x = 5',
    'f(x) = f(x + 1); f(1)',
    '1; 2',
    'random()',
    '__counter',
    'lambda_0(1)'
  ])
    t.match(await of(expression), { error: String }, expression)
})

t.test('no expression takes long, or breaks the parser', async (t) => {
  for (const expression of [
    `${'('.repeat(500)}1${')'.repeat(499)}`,
    `${'('.repeat(51)}1${')'.repeat(51)}`,
    `1${'+1'.repeat(600)}`
  ])
    t.match(await of(expression), { error: String })
  t.same(await of(`${'('.repeat(50)}1${')'.repeat(50)}`), { result: 1 })
  // As long as they may be.
  for (const part of ['-', '2^', '1?1:', 'not ', 'sin ', 'fac(', '1+', '3!', '1 and '])
    t.ok(await of(`${part.repeat(Math.floor(990 / part.length))}1`), part)
  t.match(await of(`${'fac(170)*'.repeat(100)}1`), { error: /too large/ })
})
