import t from 'tap'
import { outcome, sandbox } from '../testbed.ts'

// Ways out of a realm, among them what the advisories of vm2 tell. Each looks for an object that is not of the program's own realm:
// one whose constructor's constructor makes functions that see `process` or `require`.

const shared = sandbox(t, { cpuMilliseconds: 60_000, wallMilliseconds: 120_000 })

/** In the program: whether what is given leads outside. `found` is what it looks at, and all that it can reach from there. */
const LOOK = `
  const outside = (value) => {
    const known = new Set()
    const look = (it, depth) => {
      if ((typeof it !== 'object' && typeof it !== 'function') || it === null || known.has(it) || depth > 4) return []
      known.add(it)
      const found = []
      for (const make of [() => it.constructor.constructor, () => it.constructor, () => Object.getPrototypeOf(it).constructor.constructor])
        try {
          const made = make()('return [typeof process, typeof require, typeof module, typeof Buffer].join()')()
          if (typeof made === 'string' && /,.*(object|function)|(object|function).*,/.test(made)) found.push(made)
        } catch {}
      if (typeof it === 'function' && typeof it.name === 'string' && /isolated|ivm|^Reference$/i.test(it.name)) found.push(it.name)
      let under = []
      try { under = Reflect.ownKeys(it).flatMap((key) => { try { return [it[key]] } catch { return [] } }) } catch {}
      try { under.push(Object.getPrototypeOf(it)) } catch {}
      return [...found, ...under.flatMap((one) => look(one, depth + 1))]
    }
    return look(value, 0)
  }`

const escapes: Readonly<Record<string, string>> = {
  'all that is global, and the context': 'return outside([globalThis, context, input])',
  'constructor of this': `
    const made = Function('return this')()
    return [...outside(made), ...outside(this), made === globalThis ? [] : 'another realm'].flat()`,
  'constructors of async and generator functions': `
    const kinds = [async () => 0, function* () {}, async function* () {}]
    return kinds.flatMap((it) => outside(it.constructor('return 1')))`,
  'import by code from a text': `
    const tries = [Function('return import("node:fs")'), (async () => 0).constructor('return import("node:fs")'), () => import('node:fs')]
    const got = await Promise.allSettled(tries.map(async (it) => it()))
    return got.flatMap(({ value, reason }) => (value ? ['a module'] : outside(reason)))`,
  'Error.prepareStackTrace and its frames': `
    const found = []
    Error.prepareStackTrace = (error, frames) => {
      for (const frame of frames)
        for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(frame)))
          try { found.push(...outside(frame[name]())) } catch {}
      return frames
    }
    const errors = [new Error('x')]
    try { null.x } catch (error) { errors.push(error) }
    try { crypto.getRandomValues(null) } catch (error) { errors.push(error) }
    await context.call('x', { toJSON() { throw new Error('y') } }).catch((error) => errors.push(error))
    await import('x').catch((error) => errors.push(error))
    for (const error of errors) found.push(...outside(error.stack))
    return found`,
  'an Error of its own for stack traces': `
    const found = []
    const Own = globalThis.Error
    globalThis.Error = { prepareStackTrace: (error, frames) => { found.push(...outside(frames)); return frames } }
    try { null.x } catch (error) { found.push(...outside(error.stack)) }
    await context.call('broken').catch((error) => found.push(...outside(error)))
    globalThis.Error = Own
    return found`,
  'errors by a stack that is full, within the bridge': `
    const found = []
    const full = (work) => {
      try { full(work); } catch { }
      try { work() } catch (error) { found.push(error) }
    }
    let left = 10
    full(() => { if (left-- > 0) { crypto.getRandomValues(new Uint8Array(2_000)); context.call('x').catch((e) => found.push(e)); setTimeout(() => 0, 0) } })
    return found.slice(0, 100).flatMap(outside)`,
  'species and then of promises': `
    const found = []
    const then = Promise.prototype.then
    class Own extends Promise { static get [Symbol.species]() { return function (work) { work((it) => found.push(...outside(it)), (it) => found.push(...outside(it))) } } }
    Promise.prototype.then = function (...given) { found.push(...outside(given), ...outside(this)); return then.apply(this, given) }
    Object.defineProperty(Promise, Symbol.species, { get: () => Own, configurable: true })
    await context.call('x')
    await context.call('broken').catch((error) => found.push(...outside(error)))
    await Promise.race([context.call('x'), new Promise(() => 0)])
    Promise.prototype.then = then
    return found`,
  'species of arrays, and what the library does with its own': `
    const found = []
    const keep = [[Array.prototype, 'push'], [Array.prototype, 'join'], [Array.prototype, 'map'], [Array.prototype, 'filter'], [String.prototype, 'split'], [String.prototype, 'slice'], [Map.prototype, 'get'], [Map.prototype, 'set'], [JSON, 'stringify'], [JSON, 'parse'], [Function.prototype, 'call'], [Function.prototype, 'apply'], [Reflect, 'apply']]
    const own = keep.map(([of, name]) => of[name])
    const { apply } = Reflect
    let isIn = false
    for (const [n, [of, name]] of keep.entries())
      of[name] = function (...given) {
        if (!isIn) { isIn = true; found[found.length] = [this, given]; isIn = false }
        return apply(own[n], this, given)
      }
    Object.defineProperty(Array, Symbol.species, { get() { return function () { return found } }, configurable: true })
    try { await context.call('x', { a: [1] }); console.log('x'); crypto.randomUUID(); await crypto.subtle.digest('SHA-256', 'x') }
    finally { for (const [n, [of, name]] of keep.entries()) of[name] = own[n] }
    Object.defineProperty(Array, Symbol.species, { get() { return this } })
    return found.slice(0, 200).flatMap(outside)`,
  'a Proxy where the host would look': `
    const found = []
    let isIn = false
    const note = (given) => { if (!isIn) { isIn = true; found.push(...outside(given)); isIn = false } }
    const trap = new Proxy(function () {}, new Proxy({}, { get: (_, name) => (...given) => { note(given); return name === 'ownKeys' ? [] : undefined } }))
    for (const work of [() => context.call(trap, trap), () => context.call('x', trap), () => console.log(trap), () => context.fetch(trap), () => crypto.subtle.digest('SHA-1', trap), () => setTimeout(trap, trap), () => structuredClone(trap)])
      try { await work() } catch (error) { note(error) }
    return found`,
  'a text for the console that inspects': `
    const found = []
    const told = { [Symbol.for('nodejs.util.inspect.custom')](...given) { found.push('called', ...outside(given)) }, toString(...given) { found.push(...outside(given)); return 'x' }, toJSON() { return undefined } }
    console.log(told, { told })
    await context.call('x', { told })
    return found`,
  'weak maps and getters on prototypes': `
    const found = []
    let isIn = false
    const note = (...given) => { if (!isIn) { isIn = true; found.push(...outside(given)); isIn = false } }
    const { set } = WeakMap.prototype
    WeakMap.prototype.set = function (key, value) { note(key, value); return set.call(this, key, value) }
    for (const name of ['code', 'message', 'then', 'toJSON', 'data', 'error', 'resolve'])
      Object.defineProperty(Object.prototype, name, { get() { note(this); return undefined }, set() {}, configurable: true })
    await crypto.subtle.importKey('raw', new Uint8Array(4), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
    await context.call('x').catch(() => 0)
    for (const name of ['code', 'message', 'then', 'toJSON', 'data', 'error', 'resolve']) delete Object.prototype[name]
    WeakMap.prototype.set = set
    return found`,
  'callers and arguments of functions': `
    const found = []
    const sloppy = Function('found', 'outside', 'return function f() { let it = f; for (let n = 0; n < 4 && it; n++) { try { found.push(...outside(it.arguments)) } catch {} ; try { it = it.caller } catch { it = undefined } } }')
    const f = sloppy(found, outside)
    f()
    await context.call('x', { toJSON: f })
    return found`,
  'getters and symbols of objects that cross': `
    const answer = await context.call('x', { a: 1 })
    const about = context.about
    return [...outside(answer), ...outside(about), ...outside(Object.getPrototypeOf(about)), Object.getPrototypeOf(answer) === Object.prototype ? [] : 'another realm'].flat()`
}
for (const [name, body] of Object.entries(escapes))
  t.test(name, async (t) => {
    const { go } = await shared
    const host = async (method: string, params: unknown) => {
      if (method === 'broken') throw new Error('A secret')
      return { data: { method, params, __proto__: null } }
    }
    const answer = await go(`${LOOK}\n${body}`, { host, name, about: { by: { name: 'ada' } } })
    t.same(outcome(answer), [], JSON.stringify(outcome(answer)))
    t.equal(outcome(await go('return 1', { name: 'another' })), 1)
  })

t.test('what looks would find a way out', async (t) => {
  const { go } = await shared
  // The look itself is worth something: it finds an object that leads somewhere else.
  const body = `
    const leading = { constructor: { constructor: () => () => 'object,function,undefined,function' } }
    return outside({ deep: [leading] }).length > 0`
  t.equal(outcome(await go(`${LOOK}\n${body}`)), true)
})
