/** Questions of a call that go at once, and how many more a second. */
const AT_ONCE = 200
const PER_SECOND = 500
const EVERY_MS = 1_000 / PER_SECOND

/**
 * What a call asks the host: so much may wait for an answer, and what asks without end has to wait its turn, by the generic cell
 * rate algorithm. It would keep the platform's own thread busy, if only with refusals.
 */
export function createQuestions(
  most: number,
  now = () => performance.now(),
  later: typeof setTimeout = setTimeout
) {
  let pending = 0
  let due = 0

  return {
    /** Sends it now or when it is its turn; false where too many wait for an answer. */
    ask(send: () => void): boolean {
      if (++pending > most) return false
      const at = now()
      due = Math.max(due, at) + EVERY_MS
      const wait = due - at - AT_ONCE * EVERY_MS
      if (wait > 0) later(send, wait)
      else send()
      return true
    },

    answered(): void {
      pending--
    }
  }
}
