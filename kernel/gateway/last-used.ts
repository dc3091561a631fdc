import type { FastifyBaseLogger } from 'fastify'

const EVERY_MS = 60_000

/** Collects when credentials were used last, and saves it at most once in 60 seconds and on closing. */
export function createLastUsed({
  save,
  log,
  now
}: {
  save: (uses: ReadonlyMap<string, number>) => Promise<void>
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => number
}) {
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let saving = Promise.resolve()

  async function flush(): Promise<void> {
    timer = undefined
    if (uses.size === 0) return
    const saved = uses
    uses = new Map()
    try {
      await save(saved)
    } catch (error) {
      log.warn({ err: error }, 'When credentials were used last could not be saved')
      for (const [id, at] of saved) if (!uses.has(id)) uses.set(id, at)
      wait()
    }
  }

  function wait(): void {
    if (closed) return
    timer ??= setTimeout(() => {
      saving = flush()
    }, EVERY_MS).unref()
  }

  return {
    touch(credential: string): void {
      uses.set(credential, now())
      wait()
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      await saving
      await flush()
    }
  }
}
