/** What is asked of the realm, as JSON: `context` to evaluate the template, else to examine it. */
export interface RealmQuestion {
  readonly template: unknown
  readonly context?: unknown
}
export interface ExpressionFault {
  /** JSON pointer into the template. */
  readonly at: string
  readonly text: string
}
/** A name that an expression takes from its context: `steps.fetch.output`, as far as its parts are written out. */
export interface ExpressionReference {
  readonly at: string
  readonly path: readonly string[]
}
export type RealmAnswer =
  | { readonly value?: unknown }
  | { readonly faults: readonly ExpressionFault[]; readonly references: readonly ExpressionReference[] }
  | { readonly failure: { readonly limit: boolean; readonly text: string } }

export interface RealmLimits {
  /** Characters of a result. */
  readonly size: number
  /** Calls within calls. */
  readonly stack: number
  /** Items of a sequence. */
  readonly sequence: number
}

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly value?: unknown }
interface Expression {
  evaluate(context: unknown): Promise<unknown>
  assign(name: string, value: unknown): void
  ast(): Node
}
type Part = string | Expression
declare const jsonata: (text: string, options: object) => Expression

/**
 * What runs beside JSONata in a realm of its own, as its text: nothing of this module but types may be used in it.
 * Returns a function from JSON to a promise of JSON, which never rejects.
 */
export function realm(limits: RealmLimits): (question: string) => Promise<string> {
  const known = new Map<string, Part[]>()
  let characters = 0

  function compile(text: string): Expression {
    const { stack, sequence } = limits
    const expression = jsonata(text, { stack, sequence })
    expression.assign('eval', undefined)
    return expression
  }

  /** An expression ends at the first `}}` up to which it is one. */
  function split(text: string): Part[] {
    const parts: Part[] = []
    for (let from = 0; from < text.length; ) {
      const start = text.indexOf('{{', from)
      if (start !== from) parts.push(text.slice(from, start < 0 ? undefined : start))
      if (start < 0) break
      let first: unknown
      let end = start + 1
      for (let tries = 0; ; tries++) {
        end = text.indexOf('}}', end + 1)
        if (end < 0 || tries > 20) throw first ?? { message: 'An expression has no }}' }
        try {
          parts.push(compile(text.slice(start + 2, end)))
          break
        } catch (error) {
          first ??= error
        }
      }
      from = end + 2
    }
    return parts
  }

  function partsOf(text: string): Part[] {
    let parts = known.get(text)
    if (parts) return parts
    parts = split(text)
    characters += text.length
    if (known.size > 1_000 || characters > 1_000_000) {
      known.clear()
      characters = text.length
    }
    known.set(text, parts)
    return parts
  }

  const tooLarge = () => ({ isLimit: true, message: `The result is larger than ${limits.size} characters` })

  function stringify(value: unknown): string | undefined {
    let left = limits.size
    return JSON.stringify(value, (key, it) => {
      if (key === '__proto__') throw { message: '__proto__ is not allowed as a name' }
      left -= key.length + (typeof it === 'string' ? it.length : 1)
      if (left < 0) throw tooLarge()
      const isFunction = it !== null && typeof it === 'object' && (it._jsonata_function || it._jsonata_lambda)
      return isFunction ? undefined : it
    })
  }

  async function fillText(text: string, context: unknown): Promise<unknown> {
    const parts = partsOf(text)
    const [first] = parts
    if (parts.length === 1 && first && typeof first !== 'string') return first.evaluate(context)
    let filled = ''
    for (const part of parts) {
      const value = typeof part === 'string' ? part : await part.evaluate(context)
      if (value === undefined || value === null) continue
      filled += typeof value === 'string' ? value : (stringify(value) ?? '')
      if (filled.length > limits.size) throw tooLarge()
    }
    return filled
  }

  async function fill(value: unknown, context: unknown): Promise<unknown> {
    if (typeof value === 'string') return value.includes('{{') ? fillText(value, context) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = []
      for (const item of value) items.push(await fill(item, context))
      return items
    }
    const filled: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) filled[key] = await fill(item, context)
    return filled
  }

  // Of a path only the first step sees the context; predicates, groups and later steps see what the path found.
  function* pathsIn(node: unknown, isRoot: boolean): Generator<string[]> {
    if (Array.isArray(node)) {
      for (const part of node) yield* pathsIn(part, isRoot)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const { type, steps, predicate, stages, group, ...rest } = node as Node
    for (const inside of [predicate, stages, group]) yield* pathsIn(inside, false)
    if (type === 'path') yield* pathsOf(steps as Node[], isRoot)
    else if (type === 'name') yield* isRoot ? [[String(rest.value)]] : []
    else if (type === 'variable') yield* (rest.value === '' && isRoot) || rest.value === '$' ? [[]] : []
    else if (type === 'transform' || type === 'sort') yield* pathsIn(Object.values(rest), false)
    else yield* pathsIn(Object.values(rest), isRoot)
  }

  function* pathsOf(steps: Node[], isRoot: boolean): Generator<string[]> {
    const [first] = steps
    const isVariable = first?.type === 'variable'
    const isNamed =
      first?.type === 'name' ? isRoot : isVariable && (first.value === '$' || (first.value === '' && isRoot))
    if (isNamed) {
      const names = steps.slice(isVariable ? 1 : 0)
      const end = names.findIndex(({ type }) => type !== 'name')
      yield names.slice(0, end < 0 ? undefined : end).map(({ value }) => String(value))
    }
    for (const [index, step] of steps.entries()) {
      const { type: _, value: __, ...rest } = step
      const isPlain = step.type === 'name' || step.type === 'variable'
      yield* pathsIn(isPlain ? Object.values(rest) : step, isRoot && index === 0 && !isPlain)
    }
  }

  async function examine(template: unknown) {
    const faults: ExpressionFault[] = []
    const references: ExpressionReference[] = []
    async function look(value: unknown, at: string): Promise<void> {
      if (typeof value === 'string' && value.includes('{{'))
        try {
          for (const part of partsOf(value)) {
            if (typeof part === 'string') continue
            const paths = [...pathsIn(part.ast(), true)]
            for (const path of paths) references.push({ at, path })
            // What depends on nothing can be tried.
            if (paths.length === 0) stringify(await part.evaluate({}))
          }
        } catch (error) {
          faults.push({ at, text: told(error) })
        }
      else if (typeof value === 'object' && value !== null)
        for (const [key, item] of Object.entries(value))
          await look(item, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
    await look(template, '')
    return { faults, references }
  }

  const told = (error: unknown) => {
    const { message } = (error ?? {}) as { message?: unknown }
    return (typeof message === 'string' && message ? message : 'An expression failed').slice(0, 300)
  }
  const codes = ['D1011', 'D1012', 'D2014', 'D2015']

  return async (question) => {
    try {
      const { template, ...given } = JSON.parse(question)
      if (!('context' in given)) return JSON.stringify(await examine(template))
      return `{"value":${stringify(await fill(template, given.context)) ?? 'null'}}`
    } catch (error) {
      const { code, isLimit } = (error ?? {}) as { code?: string; isLimit?: boolean }
      const limit = isLimit === true || error instanceof RangeError || codes.includes(String(code))
      return JSON.stringify({ failure: { limit, text: told(error) } })
    }
  }
}
