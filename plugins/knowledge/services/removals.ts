import type { RemoveSome, Trx } from 'agent-platform'
import { removeRows } from 'agent-platform'
import type { DocumentStore, Place } from '../stores/documents.ts'
import type { ImportStore } from '../stores/imports.ts'
import type { Indexing } from './indexing.ts'
import type { Linking } from './linking.ts'

export type Removals = ReturnType<typeof createRemovals>

interface Deps {
  documentStore: DocumentStore
  linking: Linking
  indexing: Indexing
  importStore: ImportStore
}

/** What goes with documents, and with spaces. */
export function createRemovals({ documentStore, linking, indexing, importStore }: Deps) {
  async function removeDocuments(trx: Trx, at: Place, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await documentStore.removeAll(trx, at, ids)
    await linking.remove(trx, at, ids)
    await indexing.remove(trx, at.project, ids)
  }

  /** Passages of a space that is gone, and what they are found by. */
  const passagesOfSpace: RemoveSome = async (space, trx, limit) => {
    await indexing.removeSpace(trx, space.project, space.id)
    return removeRows('knowledge.passage', 'spaceId')(space, trx, limit)
  }

  /** Imports of a space that is gone, after the files that they still had. */
  const filesOfSpace: RemoveSome = async (space, trx, limit) => {
    const files = await importStore.removeFilesOfSpace(trx, space.project, space.id, limit)
    return files || removeRows('knowledge.import', 'spaceId')(space, trx, limit)
  }

  return { removeDocuments, passagesOfSpace, filesOfSpace }
}
