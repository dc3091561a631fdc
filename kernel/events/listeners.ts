import { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'

/** Listeners by topic. One that throws is logged, and the others are called. */
export interface Listeners<T> {
  on(topic: string, hear: (heard: T) => void): Disposable
  emit(topic: string, heard: T): void
  /** Those with a listener. */
  topics(): readonly string[]
}

export function createListeners<T>(log: Pick<FastifyBaseLogger, 'error'>): Listeners<T> {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    on(topic, hear) {
      emitter.on(topic, hear)
      return { [Symbol.dispose]: () => void emitter.off(topic, hear) }
    },
    emit(topic, heard) {
      for (const hear of emitter.listeners(topic)) {
        try {
          hear(heard)
        } catch (error) {
          log.error({ err: error, topic }, 'A listener failed')
        }
      }
    },
    topics: () => emitter.eventNames() as string[]
  }
}
