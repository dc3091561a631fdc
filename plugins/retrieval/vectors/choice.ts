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

/** pgvector where the database has it and settings allow it, else memory; decided when it is first searched or filled. */
export function createVectorIndex(deps: Deps): VectorStore {
  const { vectorMemory } = deps
  let chosen: VectorStore | undefined
  let choosing: Promise<VectorStore> | undefined

  async function choose(): Promise<VectorStore> {
    const extension = await openExtension(deps)
    chosen = extension ? await createPgVectors(deps, extension) : vectorMemory
    return chosen
  }
  async function store(): Promise<VectorStore> {
    choosing ??= choose()
    choosing.catch(() => {
      choosing = undefined
    })
    return choosing
  }

  return {
    // In a transaction nothing else is asked: what pgvector does not know yet it finds as well.
    insert: (...given) => (chosen ?? vectorMemory).insert(...given),
    removeOf: vectorMemory.removeOf,
    search: async (query) => (await store()).search(query),
    index: async (signal) => (await store()).index(signal)
  }
}
