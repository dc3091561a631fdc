const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  ...{ Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
}

/** As the HTML standard's, of what a program may have; nothing is transferred. */
export function structuredClone<T>(value: T): T {
  return copyOf(value, new Map()) as T
}

function copyOf(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`A ${typeof value} cannot be cloned`)
  if (typeof value !== 'object' || value === null) return value
  if (known.has(value)) return known.get(value)
  const plain = plainCopyOf(value, known)
  if (plain) {
    known.set(value, plain)
    return plain
  }
  if (value instanceof Map) {
    const copy = new Map()
    known.set(value, copy)
    for (const [key, item] of value) copy.set(copyOf(key, known), copyOf(item, known))
    return copy
  }
  if (value instanceof Set) {
    const copy = new Set()
    known.set(value, copy)
    for (const item of value) copy.add(copyOf(item, known))
    return copy
  }
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof Promise)
    throw new TypeError('It cannot be cloned')
  const copy: object = Array.isArray(value) ? new Array(value.length) : {}
  known.set(value, copy)
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: copyOf(item, known),
      writable: true,
      enumerable: true,
      configurable: true
    })
  return copy
}

/** A copy of what has nothing else in it. */
function plainCopyOf(value: object, known: Map<object, unknown>): object | undefined {
  if (value instanceof Date) return new Date(value.getTime())
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  if (value instanceof Boolean || value instanceof Number || value instanceof String)
    return Object(value.valueOf())
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (ArrayBuffer.isView(value)) {
    const buffer = copyOf(value.buffer, known) as ArrayBuffer
    if (value instanceof DataView) return new DataView(buffer, value.byteOffset, value.byteLength)
    const { length } = value as Uint8Array
    return new (value.constructor as Uint8ArrayConstructor)(buffer, value.byteOffset, length)
  }
  if (value instanceof Error) {
    const Made = ERRORS[value.name] ?? Error
    const { cause } = value
    return new Made(value.message, cause === undefined ? undefined : { cause: copyOf(cause, known) })
  }
  return undefined
}
