import { createBridge } from './bridge.ts'
import { structuredClone } from './clone.ts'
import { createCrypto } from './crypto.ts'
import { atob, btoa, TextDecoder, TextEncoder } from './encoding.ts'
import { AbortController, AbortSignal, DOMException, Event, EventTarget } from './events.ts'
import { Headers } from './headers.ts'
import { Request, Response } from './messages.ts'
import { createTimers } from './timers.ts'
import { URL } from './url.ts'
import { URLSearchParams } from './url-search-params.ts'

// The standard library of programs, run in each context before anything else. `library.generated.js` is made of it by esbuild, and into a
// snapshot of V8 by each process. There is nothing here that a program must be kept from: what it may is decided outside.

const fetch = () => {
  throw new TypeError('There is no fetch without a caller: use that of the context, (input, { fetch }) => …')
}

const hidden = (value: unknown) => ({ value, writable: true, configurable: true, enumerable: false })
const globals = {
  ...{
    structuredClone,
    atob,
    btoa,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    Headers,
    Request,
    Response
  },
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, fetch },
  queueMicrotask: (work: () => void) => void Promise.resolve().then(work)
}
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, hidden(value))

/** Called once, with the ends of the bridge that only it ever has. */
function start(
  post: (text: string) => void,
  random: (count: number) => string,
  credit: number,
  messageSize: number
) {
  const timers = createTimers()
  const crypto = createCrypto(random)
  const bridge = createBridge({ post, timers, crypto, credit, messageSize })
  const made = { ...timers.globals, crypto: crypto.global, console: bridge.console }
  for (const [name, value] of Object.entries(made)) Object.defineProperty(globalThis, name, hidden(value))
  return { deliver: bridge.deliver, open: bridge.open }
}
Object.defineProperty(globalThis, 'start', hidden(start))
