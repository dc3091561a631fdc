import { trimEndOf } from '../../contract/text.ts'

/** What an expression gives by its context; `notSimple` where JSONata itself has to say. */
export type Simple = (context: unknown) => unknown

export const notSimple = Symbol('not simple')

/** Characters of an expression, and of a string that it compares or puts together: this thread has others to serve. */
const LONGEST = 1_000
/** Words of JSONata that mean something else than a name where one may stand. */
const WORDS = new Set(['true', 'false', 'null', 'and', 'or', 'in', 'function'])
const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null]
])
const TOKEN =
  /[ \t\n\r\v]*(?:((?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?)|"([^"\\]*)"|'([^'\\]*)'|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(!=|<=|>=|[-+*/%&=<>?:()]))/y

type Pair = (a: never, b: never) => unknown
const ofNumbers = (work: (a: number, b: number) => number): Pair =>
  ((a: unknown, b: unknown) => {
    if (typeof a !== 'number' || typeof b !== 'number') return notSimple
    const result = work(a, b)
    return Number.isFinite(result) ? result + 0 : notSimple
  }) as Pair
const ofOrder = (work: (a: string, b: string) => boolean): Pair =>
  ((a: unknown, b: unknown) => {
    const isAlike = (typeof a === 'number' || typeof a === 'string') && typeof a === typeof b
    return isAlike ? work(a as string, b as string) : notSimple
  }) as Pair
const ofBooleans = (work: (a: boolean, b: boolean) => boolean): Pair =>
  ((a: unknown, b: unknown) =>
    typeof a === 'boolean' && typeof b === 'boolean' ? work(a, b) : notSimple) as Pair
const joined = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' ? a + b : notSimple

/** How tightly each binds, as in JSONata, and what it makes of plain values. */
const OPERATORS = new Map<string, readonly [power: number, work: Pair]>([
  ['*', [60, ofNumbers((a, b) => a * b)]],
  ['/', [60, ofNumbers((a, b) => a / b)]],
  ['%', [60, ofNumbers((a, b) => a % b)]],
  ['+', [50, ofNumbers((a, b) => a + b)]],
  ['-', [50, ofNumbers((a, b) => a - b)]],
  ['&', [50, joined as Pair]],
  ['=', [40, ((a: unknown, b: unknown) => a === b) as Pair]],
  ['!=', [40, ((a: unknown, b: unknown) => a !== b) as Pair]],
  ['<', [40, ofOrder((a, b) => a < b)]],
  ['<=', [40, ofOrder((a, b) => a <= b)]],
  ['>', [40, ofOrder((a, b) => a > b)]],
  ['>=', [40, ofOrder((a, b) => a >= b)]],
  ['and', [30, ofBooleans((a, b) => a && b)]],
  ['or', [25, ofBooleans((a, b) => a || b)]]
])
const CHOICE = 20
const SIGN = 70

interface Token {
  readonly kind: 'value' | 'path' | 'operator'
  readonly text: string
  readonly value?: unknown
}

/** Undefined where something else stands than names, numbers, texts and the operators above. */
function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const end = trimEndOf(text, ' \t\n\r\v').length
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [, number, double, single, path, operator] = TOKEN.exec(text) ?? []
    const string = double ?? single
    if (number !== undefined && !Number.isFinite(Number(number))) return undefined
    if (number !== undefined) tokens.push({ kind: 'value', text: '', value: Number(number) })
    else if (string !== undefined) tokens.push({ kind: 'value', text: '', value: string })
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator })
    else if (path === undefined) return undefined
    else if (LITERALS.has(path)) tokens.push({ kind: 'value', text: '', value: LITERALS.get(path) })
    else if (path === 'and' || path === 'or') tokens.push({ kind: 'operator', text: path })
    else if (path.split('.').some((name) => WORDS.has(name))) return undefined
    else tokens.push({ kind: 'path', text: path })
  }
  return tokens
}

/**
 * A part of JSONata: names of objects within objects, numbers, texts, and what operators make of plain values. There it
 * gives what JSONata gives; undefined for any other expression.
 */
export function compileSimple(text: string): Simple | undefined {
  const tokens = text.length > LONGEST ? undefined : tokensOf(text)
  if (!tokens) return undefined
  let at = 0
  const isNext = (operator: string) => tokens[at]?.kind === 'operator' && tokens[at]?.text === operator

  function first(): Simple | undefined {
    const token = tokens?.[at++]
    if (token?.kind === 'value') return () => token.value
    if (token?.kind === 'path') return pathOf(token.text)
    if (token?.text === '-') return negated(expression(SIGN))
    if (token?.text !== '(') return undefined
    const inside = expression(0)
    return inside && isNext(')') && at++ > 0 ? plain(inside) : undefined
  }

  function expression(power: number): Simple | undefined {
    let left = first()
    while (left) {
      const token = tokens?.[at]
      if (token?.kind !== 'operator') return left
      if (token.text === '?' && power < CHOICE) left = choice(left)
      else {
        const [own, work] = OPERATORS.get(token.text) ?? []
        if (own === undefined || work === undefined || own <= power) return left
        at++
        const right = expression(own)
        left = right && paired(left, right, work)
      }
    }
    return undefined
  }

  function choice(condition: Simple): Simple | undefined {
    at++
    const yes = expression(0)
    if (!yes || !isNext(':')) return undefined
    at++
    const no = expression(0)
    return no && chosen(condition, yes, no)
  }

  const compiled = expression(0)
  return at === tokens.length ? compiled : undefined
}

function pathOf(text: string): Simple {
  const names = text.split('.')
  return (context) => {
    let value = context
    for (const name of names) {
      if (Array.isArray(value)) return notSimple
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as Record<string, unknown>)[name]
    }
    return value
  }
}

/** What JSONata does with lists, objects and what is not there is its own. */
const plain =
  (inner: Simple): Simple =>
  (context) => {
    const value = inner(context)
    if (typeof value === 'string') return value.length > LONGEST ? notSimple : value
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : notSimple
  }

function paired(left: Simple, right: Simple, work: Pair): Simple {
  const [a, b] = [plain(left), plain(right)]
  return (context) => {
    const [one, other] = [a(context), b(context)]
    return one === notSimple || other === notSimple ? notSimple : work(one as never, other as never)
  }
}

const negated = (inner: Simple | undefined): Simple | undefined => inner && paired(() => 0, inner, minus)
const minus: Pair = ofNumbers((a, b) => a - b)

function chosen(condition: Simple, yes: Simple, no: Simple): Simple {
  const [one, other] = [plain(yes), plain(no)]
  return (context) => {
    const holds = condition(context)
    if (typeof holds !== 'boolean') return notSimple
    return holds ? one(context) : other(context)
  }
}
