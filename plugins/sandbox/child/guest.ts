import type { Isolate, Reference } from 'isolated-vm'
import ivm from 'isolated-vm'
import { randomHex } from './crypto.ts'

interface Options {
  /** Of lines that it sends. */
  hear(said: unknown): void
  /** Messages that it may have under way. */
  readonly credit: number
  readonly messageSize: number
}

interface Guest {
  /** Takes lines, and how many messages were heard. */
  readonly deliver: Reference
  /** JSON of the names of what it exports. */
  readonly functions: string
}

const START = `
  const start = globalThis.start
  for (const name of ['start', 'WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name]
  return start($0, $1, $2, $3)`

/** Evaluates the text of a program in a context of the library; throws what is wrong with it. */
export async function openGuest(
  isolate: Isolate,
  text: string,
  { hear, credit, messageSize }: Options
): Promise<Guest> {
  const context = await isolate.createContext()
  const post = new ivm.Callback(hear, { ignored: true })
  const given = [post, new ivm.Callback(randomHex), credit, messageSize]
  const guest: Reference = await context.evalClosure(START, given, { result: { reference: true } })
  const module = await isolate.compileModule(text, { filename: 'app.js' })
  await module.instantiate(context, () => {
    throw new Error('A program imports nothing: it is bundled as one module')
  })
  await module.evaluate()
  const opens = await guest.get('open', { reference: true })
  const functions = await opens.apply(undefined, [module.namespace.derefInto()])
  return { deliver: await guest.get('deliver', { reference: true }), functions: String(functions) }
}
