import type { Kernel, PageOf, Paging, Principal } from 'agent-platform'
import { pageOf, unavailable } from 'agent-platform'
import type { KnowledgeProvider, KnowledgeQuery, Passage } from '../contract.ts'
import type { Provider, SearchQuery } from '../schemas/search.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { SpaceStore } from '../stores/spaces.ts'

export type Searches = ReturnType<typeof createSearches>

interface Deps extends Pick<Kernel, 'points' | 'log'> {
  spaceAccess: SpaceAccess
  spaceStore: SpaceStore
}

const MOST_SPACES = 100
const MOST_HITS = 200

/** Searches: of spaces that were looked up for who asks, each by the provider that it names. */
export function createSearches({ points, log, spaceAccess, spaceStore }: Deps) {
  function providerOf(key: string): KnowledgeProvider {
    const found = points.all('knowledge.provider').find((it) => it.key === key)
    if (found?.value.isConfigured()) return found.value
    throw unavailable(`The knowledge provider ${key} is not configured`, { code: 'capability_missing' })
  }

  /** The best first. `spaces` are those that may be read: nothing beyond them is looked at. */
  async function ofSpaces(
    spaces: readonly StoredSpace[],
    { strict, ...query }: Omit<KnowledgeQuery, 'spaces'> & { strict: boolean }
  ): Promise<readonly Passage[]> {
    const groups = [...Map.groupBy(spaces, ({ provider }) => provider)]
    const asked = groups.map(([key, some]) =>
      Promise.try(() => providerOf(key).search({ ...query, spaces: some }))
    )
    const reached = new Set(spaces.map(({ id }) => id))
    const found = (await Promise.allSettled(asked)).flatMap((it) => {
      if (it.status === 'fulfilled') return it.value
      if (strict) throw it.reason
      // What others have is found all the same.
      log.warn({ err: it.reason }, 'a knowledge provider could not be asked')
      return []
    })
    return found
      .filter(({ spaceId }) => reached.has(spaceId))
      .sort((a, b) => b.score - a.score)
      .slice(0, query.limit)
  }

  async function search(by: Principal, { query, ...page }: SearchQuery): Promise<PageOf<Passage>> {
    const spaces = await spaceStore.listReadable(by, MOST_SPACES)
    const hits = await ofSpaces(spaces, { by, query, limit: MOST_HITS, strict: false })
    return pageOf('knowledge.search', hits, page)
  }

  async function searchSpace(by: Principal, spaceId: string, { query, ...page }: SearchQuery) {
    const space = await spaceAccess.find(by, spaceId, 'read')
    const hits = await ofSpaces([space], { by, query, limit: MOST_HITS, strict: true })
    return pageOf('knowledge.search', hits, page)
  }

  function listProviders(page: Paging): PageOf<Provider> {
    const all = points.all('knowledge.provider').map(({ key = '', value }) => ({
      key,
      name: value.name,
      description: value.description,
      configured: value.isConfigured()
    }))
    return pageOf('knowledge.providers', all, page)
  }

  return { ofSpaces, search, searchSpace, listProviders }
}
