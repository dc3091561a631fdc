import type { RemoveSome, Trx } from 'agent-platform'
import type { DocumentStore, Place } from '../stores/documents.ts'

export type Removals = ReturnType<typeof createRemovals>

interface Deps {
  documentStore: DocumentStore
}

/** What goes with documents, and with spaces. */
export function createRemovals({ documentStore }: Deps) {
  async function removeDocuments(trx: Trx, at: Place, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await documentStore.removeAll(trx, at, ids)
  }

  /** Of a space that is gone: rows that have no id of their own. */
  const ofSpace =
    (table: 'revision' | 'content' | 'deleted_document'): RemoveSome =>
    ({ project, id }, trx, limit) =>
      documentStore.removeOfSpace(trx, table, { project, spaceId: id }, limit)

  return { removeDocuments, ofSpace }
}
