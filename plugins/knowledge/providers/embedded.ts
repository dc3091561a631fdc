import type { Retrieval } from '../../retrieval/contract.ts'
import type { KnowledgeProvider, KnowledgeQuery, Passage } from '../contract.ts'
import { PASSAGES } from '../services/indexing.ts'
import type { PassageStore } from '../stores/passages.ts'

interface Deps {
  retrieval: Retrieval | undefined
  passageStore: PassageStore
}

/** What no text has, as marks of words in it. */
const MARKS = { open: '\uE000', close: '\uE001' }

/** Searches what is kept here: by meaning and by words, fused; by words alone where `retrieval` is off. */
export function createEmbeddedProvider({ retrieval, passageStore }: Deps): KnowledgeProvider {
  async function rank({ by, spaces, query, limit, signal }: KnowledgeQuery) {
    const scopes = spaces.map(({ id }) => id)
    if (!retrieval) return passageStore.listMatching(by.project, scopes, query, limit)
    const { project } = by
    return retrieval.search({
      project,
      collection: PASSAGES,
      scopes,
      query,
      limit,
      ...(signal && { signal })
    })
  }

  async function search(asked: KnowledgeQuery): Promise<readonly Passage[]> {
    const hits = await rank(asked)
    const ids = hits.map(({ id }) => id)
    const found = await passageStore.listFound(asked.by.project, ids, asked.query, MARKS)
    const byId = new Map(found.map((passage) => [passage.id, passage]))
    return hits.flatMap(({ id, score }) => {
      const passage = byId.get(id)
      if (!passage) return []
      const { id: _, ordinal: __, marked, ...rest } = passage
      return [{ ...rest, url: null, score, highlights: placesOf(marked, passage.start) }]
    })
  }

  return {
    name: 'Embedded',
    description: 'Documents that are kept here, by meaning and by words',
    isConfigured: () => true,
    search
  }
}

/** Where the marks stand, as if they were not there. */
function placesOf(marked: string, from: number): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = []
  let at = from
  let start = from
  for (const part of marked.split(/([\uE000\uE001])/)) {
    if (part === MARKS.open) start = at
    else if (part === MARKS.close) places.push({ start, end: at })
    else at += part.length
  }
  return places
}
