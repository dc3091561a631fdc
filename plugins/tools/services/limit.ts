/** A time limit that does not run while somebody is asked. */
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
