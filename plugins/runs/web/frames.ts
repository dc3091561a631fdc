const waiting = new Set<() => void>()
let isScheduled = false
/** Not before that time. */
let earliest = 0

/**
 * Does it ahead of the next frame, once, together with what else waits for that. Frames that took long are followed by as
 * long a pause, so that however much comes half of the time is left for the person; a tab that is not seen does nothing.
 */
export function onNextFrame(work: () => void) {
  waiting.add(work)
  if (isScheduled) return
  isScheduled = true
  const pause = earliest - performance.now()
  if (pause > 0) setTimeout(() => requestAnimationFrame(flush), pause)
  else requestAnimationFrame(flush)
}

function flush() {
  const begun = performance.now()
  isScheduled = false
  const works = [...waiting]
  waiting.clear()
  for (const work of works) work()
  // By then React has rendered, and the browser has laid it out.
  setTimeout(() => {
    const now = performance.now()
    earliest = now + Math.min(now - begun, 1_000)
  })
}
