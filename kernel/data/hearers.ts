import { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'

/** Who hears of which topic. A hearer that throws is logged and hurts nobody else. */
export interface Hearers<T> {
  on(topic: string, hear: (heard: T) => void): Disposable
  tell(topic: string, heard: T): void
  /** That somebody hears of. */
  topics(): readonly string[]
}

export function createHearers<T>(log: Pick<FastifyBaseLogger, 'error'>): Hearers<T> {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    on(topic, hear) {
      emitter.on(topic, hear)
      return { [Symbol.dispose]: () => void emitter.off(topic, hear) }
    },
    tell(topic, heard) {
      for (const hear of emitter.listeners(topic)) {
        try {
          hear(heard)
        } catch (error) {
          log.error({ err: error, topic }, 'A hearer failed')
        }
      }
    },
    topics: () => emitter.eventNames() as string[]
  }
}
