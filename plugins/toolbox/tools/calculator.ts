import { Parser } from 'expr-eval-fork'
import type { StaticTool } from '../../tools/contract.ts'

const description = `Computes a mathematical expression exactly as written and gives its result, a number or a \
truth value. Operators: + - * / % ^ ! == != < <= > >= and or not, a ? b : c, and parentheses. Functions: abs ceil \
floor round trunc sign sqrt cbrt exp expm1 ln log (natural) log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh \
asinh acosh atanh (radians), min max hypot pow atan2 roundTo(x, digits) fac gamma. Constants: PI, E. Floating-point \
numbers of about 15 digits.`

const MOST_CHARACTERS = 1_000
/** Brackets in brackets: each costs a dozen frames of the parser. */
const MOST_NESTED = 50

const parameters = {
  type: 'object',
  properties: {
    expression: {
      type: 'string',
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      description: 'Such as 12 * (3 + sqrt(2)) ^ 2'
    }
  },
  required: ['expression'],
  additionalProperties: false
}

export function createCalculator(): StaticTool {
  const parser = createParser()
  return {
    description,
    parameters,
    idempotent: true,
    tokens: 'hosts',
    async call({ args }) {
      const { expression } = args as { expression: string }
      const fault = faultOf(expression)
      if (fault !== undefined) return failed(fault)
      try {
        // No variables: a name that is no constant is said to be undefined.
        return outcomeOf(parser.evaluate(expression, Object.create(null)))
      } catch (error) {
        return failed(`The expression cannot be computed: ${reasonOf(error)}`)
      }
    }
  }
}

/**
 * Numbers and truth values only. Without functions of its own, assignments, lists and joined texts the work is at most
 * what the expression is long; the functions that are left take numbers.
 */
function createParser(): Parser {
  const operators = {
    assignment: false,
    array: false,
    fndef: false,
    concatenate: false,
    in: false,
    length: false
  }
  const parser = new Parser({ allowMemberAccess: false, operators })
  const names = parser as unknown as Record<
    'functions' | 'unaryOps' | 'binaryOps' | 'ternaryOps' | 'consts',
    object
  >
  for (const name of ['random', 'map', 'fold', 'filter', 'indexOf', 'join', 'sum'])
    Reflect.deleteProperty(names.functions, name)
  // Names are looked up in these: nothing but what stands in them is to be found.
  for (const known of [names.functions, names.unaryOps, names.binaryOps, names.ternaryOps, names.consts])
    Object.setPrototypeOf(known, null)
  return parser
}

function faultOf(expression: string): string | undefined {
  if (expression.length > MOST_CHARACTERS)
    return `The expression is longer than ${MOST_CHARACTERS} characters`
  if (/["'`;\\]/.test(expression)) return 'The expression may hold numbers, operators and functions only'
  let depth = 0
  for (const character of expression) {
    if (character === '(') depth++
    else if (character === ')') depth--
    if (depth > MOST_NESTED) return `The expression has more than ${MOST_NESTED} brackets in brackets`
  }
  return undefined
}

function outcomeOf(value: unknown) {
  if (typeof value === 'boolean') return { output: { result: value } }
  if (typeof value !== 'number') return failed('The expression gives no number')
  if (Number.isNaN(value)) return failed('The result is not defined')
  if (!Number.isFinite(value)) return failed('The result is too large, or a division by zero')
  // 0.1 + 0.2 is 0.3.
  return { output: { result: Number.isInteger(value) ? value : Number(value.toPrecision(15)) } }
}

const failed = (output: string) => ({ output, isError: true })

/** The library speaks of the expression alone; what the engine says speaks of the library. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  const message = error instanceof Error && error.constructor === Error ? error.message : ''
  return message.slice(0, 200) || 'it is not well-formed'
}
