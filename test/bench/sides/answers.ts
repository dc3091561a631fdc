type Answers = Readonly<Record<string, (argument: never) => unknown>>
interface Question {
  readonly id: number
  readonly question: string
  readonly argument: unknown
}

/** Microseconds of CPU that this process has used so far, all of its threads together. */
function usage(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Bytes, after everything that can be collected has been, and what keeps the process alive. */
async function memory() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed, resources: process.getActiveResourcesInfo().length }
}

/** Bytes, as they are while it works. */
const resident = () => ({ rss: process.memoryUsage.rss() })

/** Answers what the measuring process asks; when that lets go, `stop` ends this one. */
export function answer(answers: Answers, stop: () => Promise<unknown> = async () => undefined): void {
  const known: Answers = { usage, memory, resident, pid: () => process.pid, ...answers }
  process.on('message', async ({ id, question, argument }: Question) => {
    try {
      const value = await known[question]?.(argument as never)
      process.send?.({ id, value })
    } catch (error) {
      process.send?.({ id, error: (error as Error).stack ?? String(error) })
    }
  })
  process.once('disconnect', () => stop().finally(() => process.exit()))
}
