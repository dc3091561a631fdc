/** A time limit that is paused while a person is asked. */
export function startLimit(milliseconds: number) {
  const controller = new AbortController()
  let left = milliseconds
  let since = performance.now()
  let asking = 0
  let isOver = false
  const end = () => controller.abort(new DOMException('The time is over', 'TimeoutError'))
  let timer = setTimeout(end, left)
  return {
    signal: controller.signal,
    /** Milliseconds that are left of it. */
    left: () => (asking > 0 ? left : left - (performance.now() - since)),
    async pause<T>(work: () => Promise<T>): Promise<T> {
      if (asking++ === 0) {
        clearTimeout(timer)
        left -= performance.now() - since
      }
      try {
        return await work()
      } finally {
        if (--asking === 0 && !isOver) {
          since = performance.now()
          timer = setTimeout(end, Math.max(left, 0))
        }
      }
    },
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
    }
  }
}
