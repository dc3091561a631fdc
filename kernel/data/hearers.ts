import type { FastifyBaseLogger } from 'fastify'

/** Who hears of something. One that throws is logged and hurts nobody else. */
export interface Hearers<T> {
  readonly size: number
  add(hear: (heard: T) => void): Disposable
  tell(heard: T): void
}

export function createHearers<T>(what: string, log: Pick<FastifyBaseLogger, 'error'>): Hearers<T> {
  const hearers = new Set<{ hear: (heard: T) => void }>()
  return {
    get size() {
      return hearers.size
    },
    add(hear) {
      const hearer = { hear }
      hearers.add(hearer)
      return { [Symbol.dispose]: () => void hearers.delete(hearer) }
    },
    tell(heard) {
      for (const { hear } of [...hearers]) {
        try {
          hear(heard)
        } catch (error) {
          log.error({ err: error }, `A hearer of ${what} failed`)
        }
      }
    }
  }
}
