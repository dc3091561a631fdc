import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Collection, Entry, Retrieval } from '../../retrieval/contract.ts'
import type { MediaType, StoredDocument } from '../schemas/documents.ts'
import { documents } from '../schemas/documents.ts'
import type { DocumentStore, Place, Text } from '../stores/documents.ts'
import type { PassageStore, StoredPassage } from '../stores/passages.ts'
import type { Analysis } from '../text/analysis.ts'
import { analyse as read } from '../text/analysis.ts'
import type { Linking } from './linking.ts'

export type Indexing = ReturnType<typeof createIndexing>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'log'> {
  jobs: Jobs
  retrieval: Retrieval | undefined
  documentStore: DocumentStore
  passageStore: PassageStore
  linking: Linking
}

/** A document and its text, which is read here where it was not yet. */
export interface Written {
  readonly row: StoredDocument
  readonly text: string
  readonly analysis: Analysis | undefined
}

export const PASSAGES = 'knowledge.passages'
export const INDEX_QUEUE = 'knowledge.index'
/** Characters of a text that is read while the request waits. */
const SHORT = 65_536
/** Passages in one transaction. */
const BATCH = 200
const MOST_WAITED_FOR = 64
const WAIT_MS = 1_000

/** What is found: passages by their words and meaning, links, names and tags. */
export function createIndexing(deps: Deps) {
  const { knex, transaction, log, jobs, retrieval, documentStore, passageStore, linking } = deps

  /** Undefined for a text that is too long to be read while a caller waits. */
  const analyse = async (
    text: string,
    mediaType: MediaType,
    pages?: readonly number[]
  ): Promise<Analysis | undefined> => (text.length > SHORT ? undefined : read(text, mediaType, pages))

  /** In the transaction that writes the documents: short ones are found from its commit on, the others by a job. */
  async function index(trx: Trx, at: Place, written: readonly Written[]): Promise<void> {
    const ready = written.flatMap(({ row, analysis }) => (analysis ? [{ row, analysis }] : []))
    if (ready.length > 0) {
      await linking.update(trx, at, ready)
      await drop(
        trx,
        at.project,
        ready.map(({ row }) => row.id)
      )
      const passages = written.flatMap(({ row, text, analysis }) =>
        analysis ? passagesOf(row, text, analysis) : []
      )
      await add(
        trx,
        written.map(({ row }) => row),
        passages
      )
    }
    for (const { row, analysis } of written)
      if (!analysis) {
        await linking.rename(trx, at, row)
        await jobs.send(INDEX_QUEUE, { project: at.project, id: row.id, hash: row.hash }, { trx })
      }
  }

  const passagesOf = (row: StoredDocument, text: string, { passages }: Analysis): StoredPassage[] =>
    passages.map(({ start, end, heading, page }, ordinal) => ({
      id: newId('passage'),
      documentId: row.id,
      version: row.version,
      ordinal,
      heading,
      start,
      end,
      page,
      text: text.slice(start, end)
    }))

  /** Passages of these documents, all of one space. */
  async function add(
    trx: Trx,
    rows: readonly StoredDocument[],
    passages: readonly StoredPassage[]
  ): Promise<void> {
    const byId = new Map(rows.map((row) => [row.id, row]))
    const [first] = rows
    if (!first) return
    const { project, owner, spaceId } = first
    for (let from = 0; from < passages.length; from += BATCH) {
      const some = passages.slice(from, from + BATCH)
      await passageStore.insertAll(trx, { project, owner, spaceId }, some)
      const entries = some.map((passage) =>
        entryOf({ ...passage, spaceId, title: byId.get(passage.documentId)?.title ?? null })
      )
      await retrieval?.put(trx, { project, owner }, PASSAGES, entries)
    }
  }

  async function drop(
    trx: Trx,
    project: string,
    documentIds: readonly string[],
    keep?: Record<string, number>
  ) {
    const ids = await passageStore.removeOf(trx, project, documentIds, keep)
    if (ids.length > 0) await retrieval?.remove(trx, project, PASSAGES, { ids })
  }

  /** A long text, read by a job: passages come in batches, and those of the version before go with the last one. */
  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, id, hash } = data as Pick<StoredDocument, 'project' | 'id' | 'hash'>
    const row = await documents.find(knex, id)
    if (row?.project !== project || row.hash !== hash || row.status === 'ready') return
    const found = await documentStore.findText(row, hash)
    if (!found) return
    try {
      await readLong(row, found, signal)
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ err: error, document: id }, 'a document could not be read')
      const fault = {
        code: 'indexing_failed',
        message: 'The text could not be made searchable; it is tried again'
      }
      await documentStore.updateStatus(undefined, row, { status: 'failed', error: fault })
      throw error
    }
  }

  async function readLong(row: StoredDocument, { text, pages }: Text, signal: AbortSignal): Promise<void> {
    await documentStore.updateStatus(undefined, row, { status: 'processing', error: null })
    const analysis = await read(text, row.mediaType, pages)
    const passages = passagesOf(row, text, analysis)
    for (
      let from = await transaction((trx) => passageStore.count(trx, row));
      from < passages.length;
      from += BATCH
    ) {
      signal.throwIfAborted()
      const isCurrent = await transaction(async (trx) => {
        const progress = Math.floor((99 * from) / passages.length)
        if ((await documentStore.updateStatus(trx, row, { progress })) === 0) return false
        await add(trx, [row], passages.slice(from, from + BATCH))
        return true
      })
      if (!isCurrent) return
    }
    await transaction(async (trx) => {
      const state = { status: 'ready', progress: 100, tags: analysis.tags } as const
      if ((await documentStore.updateStatus(trx, row, state)) === 0) return
      await documentStore.updateTags(trx, row, analysis.tags)
      const { project, spaceId } = row
      await linking.update(trx, { project, spaceId }, [{ row, analysis }])
      await drop(trx, row.project, [row.id], { [row.id]: row.version })
    })
  }

  /** After the commit: its passages are found by their meaning too, or soon will be. */
  async function searchable({
    project,
    id,
    version,
    status
  }: StoredDocument | (StoredDocument & { content: string })) {
    if (!retrieval || status !== 'ready') return
    const ids = await passageStore.listIds(project, id, version, MOST_WAITED_FOR + 1)
    if (ids.length === 0 || ids.length > MOST_WAITED_FOR) return
    await retrieval.embedded(project, PASSAGES, ids, { waitMs: WAIT_MS })
  }

  const remove = (trx: Trx, project: string, documentIds: readonly string[]) =>
    drop(trx, project, documentIds)

  const removeSpace = async (trx: Trx, project: string, spaceId: string) =>
    retrieval?.remove(trx, project, PASSAGES, { scopes: [spaceId] })

  /** Of a project, for `retrieval`. */
  const collection: Collection = {
    name: 'Knowledge',
    async list(trx, project, after, limit) {
      const rows = await passageStore.listAfter(trx, project, after, limit)
      return rows.map((row) => ({ ...entryOf(row), owner: row.owner }))
    }
  }

  return { collection, analyse, index, work, searchable, remove, removeSpace }
}

const entryOf = (
  it: Pick<StoredPassage, 'id' | 'documentId' | 'heading' | 'text'> & {
    spaceId: string
    title: string | null
  }
): Entry => ({
  id: it.id,
  scope: it.spaceId,
  text: [it.title, it.heading, it.text].filter((part) => part !== null).join('\n'),
  attributes: { documentId: it.documentId }
})
