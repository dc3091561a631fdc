const Real = Date
let wrong = 0

/** `Date` of this process is wrong by so many milliseconds from now on; timers and the database keep the right time. */
export function setClock(byMs: number): void {
  wrong = byMs
  globalThis.Date = wrong === 0 ? Real : Wrong
}

const Wrong = new Proxy(Real, {
  construct: (target, given, as) => Reflect.construct(target, given.length ? given : [now()], as),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name))
})
const now = (): number => Real.now() + wrong
