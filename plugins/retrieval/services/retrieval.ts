import type { Kernel, Owned, Trx } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Models } from '../../models/contract.ts'
import type { Entry, Retrieval, Which } from '../contract.ts'
import type { EntryStore } from '../stores/entries.ts'
import type { PendingStore } from '../stores/pending.ts'
import type { Embeddings } from './embeddings.ts'
import type { Searches } from './searches.ts'

const MAX_ENTRIES = 1_000
const MAX_TEXT = 32_768

interface Deps extends Pick<Kernel, 'points'> {
  models: Models
  embeddings: Embeddings
  searches: Searches
  entryStore: EntryStore
  pendingStore: PendingStore
}

/** What other packs ask. */
export function createRetrieval({
  points,
  models,
  embeddings,
  searches,
  entryStore,
  pendingStore
}: Deps): Retrieval {
  function check(collection: string): void {
    if (!points.all('retrieval.collection').some(({ key }) => key === collection))
      throw new TypeError(`No pack contributes the collection ${collection} to retrieval.collection`)
  }

  async function put(trx: Trx, owner: Owned, collection: string, entries: readonly Entry[]): Promise<void> {
    check(collection)
    if (entries.length === 0) return
    if (entries.length > MAX_ENTRIES) throw new RangeError(`At most ${MAX_ENTRIES} entries at once`)
    if (entries.some(({ text }) => text.length > MAX_TEXT))
      throw invalid('', `At most ${MAX_TEXT} characters can be searched in one piece`, 'text_too_long')
    // One of each id, the last one.
    const given = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
    await entryStore.insert(trx, owner, collection, given)
    await embeddings.begin(
      trx,
      owner.project,
      collection,
      given.map(({ id }) => id)
    )
  }

  async function remove(trx: Trx, project: string, collection: string, which: Which): Promise<void> {
    check(collection)
    await entryStore.remove(trx, project, collection, which)
  }

  async function progress(project: string, collection: string, scopes?: readonly string[]) {
    const model = await models.embedding(project).catch(() => undefined)
    return { ...(await pendingStore.count(project, collection, scopes, model?.id ?? '')), model: model?.id }
  }

  return {
    put,
    remove,
    progress,
    embedded: embeddings.embedded,
    async search(query) {
      check(query.collection)
      return searches.search(query)
    }
  }
}
