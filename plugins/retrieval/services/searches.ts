import type { Kernel } from 'agent-platform'
import { unlessAborted } from 'agent-platform'
import type { Models } from '../../models/contract.ts'
import type { Hit, SearchQuery } from '../contract.ts'
import type { EntryStore } from '../stores/entries.ts'
import type { PendingStore } from '../stores/pending.ts'
import type { Nearest } from '../vectors/matrices.ts'
import type { VectorStore } from '../vectors/store.ts'
import { fuse } from './fusion.ts'

export type Searches = ReturnType<typeof createSearches>

const MAX_SCOPES = 100
const MAX_LIMIT = 200
const MAX_QUERY = 4_096
/** Places of each list that count, so that both have a say. */
const LISTED = 60
/** So long a model may take for a question; after that the text alone decides. */
const MODEL_MS = 5_000

interface Deps extends Pick<Kernel, 'log'> {
  models: Models
  entryStore: EntryStore
  pendingStore: PendingStore
  vectorIndex: VectorStore
}

/** Finds entries by their vectors and by their words. */
export function createSearches({ log, models, entryStore, pendingStore, vectorIndex }: Deps) {
  async function search(asked: SearchQuery): Promise<readonly Hit[]> {
    const scopes = [...new Set(asked.scopes)]
    if (scopes.length > MAX_SCOPES) throw new RangeError(`At most ${MAX_SCOPES} scopes are searched at once`)
    const query = asked.query.slice(0, MAX_QUERY).trim()
    if (scopes.length === 0 || query === '') return []
    asked.signal?.throwIfAborted()
    const place = { ...asked, scopes }
    const limit = Math.min(Math.max(1, asked.limit ?? 10), MAX_LIMIT)
    const listed = Math.max(LISTED, limit)
    const [text, vectors] = await Promise.all([
      entryStore.listByText(place, query, listed),
      near({ ...place, query }, listed)
    ])
    const fused = fuse(vectors, text, limit + vectors.length * listed)
    // Numbers in memory may stand for what went meanwhile: the entries say what is there.
    const known = new Map(text.map((hit) => [hit.number, hit]))
    const unknown = fused.flatMap(({ number }) => (known.has(number) ? [] : number))
    if (unknown.length > 0)
      for (const hit of await entryStore.listByNumbers(place, unknown)) known.set(hit.number, hit)
    return fused
      .flatMap(({ number, score, why }) => {
        const hit = known.get(number)
        return hit ? [{ id: hit.entry, scope: hit.scope, score, why }] : []
      })
      .slice(0, limit)
  }

  /** A list for each model of which the project has vectors: one, but while it changes. */
  async function near(asked: SearchQuery, limit: number): Promise<readonly (readonly Nearest[])[]> {
    const { project, collection, scopes, filter, signal } = asked
    const ids = await pendingStore.listModels(project)
    if (ids.length === 0) return []
    const allowed = filter && Object.keys(filter).length > 0 ? await entryStore.listNumbers(asked) : undefined
    if (allowed?.length === 0) return []
    const lists = ids.map(async (model) => {
      try {
        const vector = await vectorOf(project, model, asked.query, signal)
        return await vectorIndex.search({
          project,
          collection,
          scopes,
          model,
          vector,
          limit,
          allowed,
          signal
        })
      } catch (error) {
        signal?.throwIfAborted()
        const { message: reason, code } = error as { message: string; code?: string }
        log.warn({ project, collection, model, code, reason }, 'searched by text alone')
        return []
      }
    })
    return Promise.all(lists)
  }

  async function vectorOf(project: string, id: string, query: string, signal: AbortSignal | undefined) {
    const at = id.indexOf('/')
    const choice = { modelProvider: id.slice(0, at), modelId: id.slice(at + 1) }
    const limit = AbortSignal.timeout(MODEL_MS)
    const model = await models.embedding(project, choice)
    const options = { as: 'query', signal: signal ? AbortSignal.any([signal, limit]) : limit } as const
    const [vector] = await unlessAborted(options.signal, model.embed([query], options))
    return vector as Float32Array
  }

  return { search }
}
