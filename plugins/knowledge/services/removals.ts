import type { RemoveSome, Trx } from 'agent-platform'
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

  /** Of a space that is gone: rows that have no id of their own. */
  const ofSpace =
    (table: 'revision' | 'content' | 'deleted_document' | 'known_name' | 'link'): RemoveSome =>
    ({ project, id }, trx, limit) =>
      documentStore.removeOfSpace(trx, table, { project, spaceId: id }, limit)

  /** Passages of a space that is gone, and what they are found by. */
  const passagesOfSpace: RemoveSome = async ({ project, id }, trx, limit) => {
    await indexing.removeSpace(trx, project, id)
    return documentStore.removeOfSpace(trx, 'passage', { project, spaceId: id }, limit)
  }

  /** Imports of a space that is gone, after the files that they still had. */
  const filesOfSpace: RemoveSome = async ({ project, id }, trx, limit) => {
    const files = await importStore.removeFilesOfSpace(trx, project, id, limit)
    return files || documentStore.removeOfSpace(trx, 'import', { project, spaceId: id }, limit)
  }

  return { removeDocuments, ofSpace, passagesOfSpace, filesOfSpace }
}
