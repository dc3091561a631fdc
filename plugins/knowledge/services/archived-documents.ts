import { Readable } from 'node:stream'
import type { Kernel } from 'agent-platform'
import type { Exporting } from '../../archives/contract.ts'
import type { Files } from '../../files/contract.ts'
import type { StoredDocument } from '../schemas/documents.ts'
import { documents } from '../schemas/documents.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import type { DocumentStore } from '../stores/documents.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  files: Files | undefined
  documentStore: DocumentStore
}

const PAGE = 200

/** Documents of a space as records of an archive, each with what it was behind it. */
export function createArchivedDocuments({ knex, files, documentStore }: Deps) {
  /** The uploaded file that a document was made of, where it is there. */
  async function originalOf({ by, blob }: Exporting, { fileId }: Pick<StoredDocument, 'fileId'>) {
    if (fileId === null || !files) return null
    const file = await files.find(by, fileId, 'read').catch(() => undefined)
    if (!file) return null
    return { sha256: blob({ ...file, open: () => files.stream(file) }), name: file.name }
  }

  async function* documentsOf(of: Exporting, { project, id: spaceId }: StoredSpace) {
    for (let after = ''; ; ) {
      const rows: StoredDocument[] = await knex(documents.name)
        .where({ project, spaceId })
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .select([...documents.columns])
      for (const row of rows) {
        const { path, title, mediaType, hash, size } = row
        const found = await documentStore.findText(row, hash)
        if (!found) continue
        const open = async () => {
          const again = await documentStore.findText(row, hash)
          return Readable.from([Buffer.from(again?.text ?? '')])
        }
        const text = of.blob({ sha256: hash, size, open })
        const { version } = row
        const about = { spaceId, path, title, mediaType, text, pages: found.pages ?? null, version }
        yield { kind: 'document', data: { ...about, original: await originalOf(of, row) } }
        yield* pastOf(of, row)
      }
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }

  async function* pastOf(of: Exporting, document: StoredDocument) {
    if (document.version === 1) return
    let last = document.hash
    for (let after = 0; ; ) {
      const some = await documentStore.listPast(document, after, PAGE)
      for (const past of some) {
        after = past.version
        const found = await documentStore.findText(past, past.hash)
        if (!found) continue
        const { path, title, mediaType, hash, tags, version, createdAt } = past
        const about = { path, title, mediaType, text: hash, pages: found.pages ?? null, tags, version }
        const data = { ...about, at: createdAt, original: await originalOf(of, past) }
        yield {
          kind: 'past',
          data,
          ...(hash !== last && { bytes: Readable.from([Buffer.from(found.text)]) })
        }
        last = hash
      }
      if (some.length < PAGE) return
    }
  }

  return { documentsOf }
}
