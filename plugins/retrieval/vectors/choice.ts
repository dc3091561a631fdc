import type { Kernel } from 'agent-platform'
import type { RetrievalSettings } from '../settings.ts'
import type { VectorRows } from '../stores/vectors.ts'
import { openExtension } from './extension.ts'
import { createPgVectors } from './postgres.ts'
import type { VectorStore } from './store.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'log'> {
  settings: RetrievalSettings
  vectorRows: VectorRows
  vectorMemory: VectorStore
}

/** So long after pgvector was not there it is looked for anew. */
const LOOK_MS = 600_000
/** PostgreSQL knows no such column, operator, type or table: the extension was dropped, or a table of ours. */
const GONE = new Set(['42703', '42883', '42704', '42P01'])

/**
 * pgvector where the database has it and settings allow it, else memory; decided when it is first searched or filled. Where
 * pgvector goes while it is used, memory answers, and where it comes it is used some minutes later.
 */
export function createVectorIndex(deps: Deps): VectorStore {
  const { vectorMemory, log } = deps
  let chosen: VectorStore | undefined
  let choosing: Promise<VectorStore> | undefined
  let lookedAt = 0

  async function choose(): Promise<VectorStore> {
    lookedAt = performance.now()
    const extension = await openExtension(deps)
    chosen = extension ? await createPgVectors(deps, extension) : vectorMemory
    return chosen
  }
  async function store(): Promise<VectorStore> {
    if (chosen === vectorMemory && performance.now() - lookedAt > LOOK_MS) choosing = undefined
    choosing ??= choose()
    choosing.catch(() => {
      choosing = undefined
    })
    return choosing
  }

  /** Memory from now on, where that is what the error says; whether it is. */
  function isGone(error: unknown, asked: VectorStore): boolean {
    const { code = '', message: reason } = error as { code?: string; message: string }
    if (asked === vectorMemory || !GONE.has(code)) return false
    if (chosen === asked)
      log.warn({ code, reason }, 'vectors are searched in memory, since pgvector is not there any more')
    chosen = vectorMemory
    choosing = Promise.resolve(vectorMemory)
    lookedAt = performance.now()
    return true
  }

  return {
    // In a transaction nothing else is asked: what pgvector does not know yet it finds as well.
    async insert(...given) {
      const asked = chosen ?? vectorMemory
      try {
        await asked.insert(...given)
      } catch (error) {
        // The transaction is lost with it; the next attempt finds memory.
        isGone(error, asked)
        throw error
      }
    },
    removeOf: vectorMemory.removeOf,
    async search(query) {
      const asked = await store()
      try {
        return await asked.search(query)
      } catch (error) {
        if (!isGone(error, asked)) throw error
        return vectorMemory.search(query)
      }
    },
    async index(signal) {
      const asked = await store()
      try {
        await asked.index(signal)
      } catch (error) {
        if (!isGone(error, asked)) throw error
      }
    }
  }
}
