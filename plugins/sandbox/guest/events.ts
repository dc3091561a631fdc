type Listener = ((event: Event) => void) | { handleEvent(event: Event): void }

export class DOMException extends Error {
  constructor(message = '', name = 'Error') {
    super(message)
    this.name = name
  }
}

export class Event {
  readonly type: string
  readonly cancelable: boolean
  target: EventTarget | null = null
  defaultPrevented = false
  isStopped = false

  constructor(type: string, options: { cancelable?: boolean } = {}) {
    this.type = String(type)
    this.cancelable = options.cancelable === true
  }
  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true
  }
  stopImmediatePropagation(): void {
    this.isStopped = true
  }
}

export class EventTarget {
  #listeners = new Map<string, Map<Listener, { once: boolean }>>()

  addEventListener(
    type: string,
    listener: Listener | null,
    options: { once?: boolean } | boolean = {}
  ): void {
    if (!listener) return
    const listeners = this.#listeners.get(type) ?? new Map<Listener, { once: boolean }>()
    this.#listeners.set(type, listeners)
    const once = typeof options === 'object' && options.once === true
    if (!listeners.has(listener)) listeners.set(listener, { once })
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (listener) this.#listeners.get(type)?.delete(listener)
  }

  /** What a listener throws is nobody's business but its own. */
  dispatchEvent(event: Event): boolean {
    event.target = this
    for (const [listener, { once }] of [...(this.#listeners.get(event.type) ?? [])]) {
      if (event.isStopped) break
      if (once) this.removeEventListener(event.type, listener)
      try {
        if (typeof listener === 'function') listener.call(this, event)
        else listener.handleEvent(event)
      } catch {}
    }
    return !event.defaultPrevented
  }
}

/** Who may make and abort signals. */
const inside = Symbol('inside')

export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => void) | null = null
  #reason: unknown
  #aborted = false

  constructor(by?: symbol) {
    super()
    if (by !== inside) throw new TypeError('A signal is made by an AbortController')
  }
  get aborted(): boolean {
    return this.#aborted
  }
  get reason(): unknown {
    return this.#reason
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  static abort(reason?: unknown): AbortSignal {
    const controller = new AbortController()
    controller.abort(reason)
    return controller.signal
  }

  static timeout(ms: number): AbortSignal {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The time is over', 'TimeoutError')), ms)
    return controller.signal
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const controller = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason)
      else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
    }
    return controller.signal
  }

  static [inside](signal: AbortSignal, reason: unknown): void {
    if (signal.#aborted) return
    signal.#aborted = true
    signal.#reason = reason
    const event = new Event('abort')
    try {
      signal.onabort?.(event)
    } catch {}
    signal.dispatchEvent(event)
  }
}

export class AbortController {
  readonly signal = new AbortSignal(inside)

  abort(reason: unknown = new DOMException('It was aborted', 'AbortError')): void {
    AbortSignal[inside](this.signal, reason)
  }
}
