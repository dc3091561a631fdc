import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { KnowledgeProvider, KnowledgeQuery, Passage } from '../contract.ts'
import type { KnowledgeSettings } from '../settings.ts'

interface Deps {
  settings: KnowledgeSettings
  outgoing: Outgoing
}

const MOST_BYTES = 4_194_304
const MOST_TEXT = 8_000

/**
 * Asks a search service behind HTTP. An address with `{query}` in it is fetched by GET, with the query and the limit in
 * their places; any other is sent `{query, limit, space}` by POST. Where its reply has what is told by settings.
 */
export function createHttpProvider({ settings, outgoing }: Deps): KnowledgeProvider {
  const { httpUrl, httpKey, httpKeyHeader, httpSeconds } = settings

  function request(url: string, { query, limit, spaces }: KnowledgeQuery) {
    const authorization = httpKeyHeader.toLowerCase() === 'authorization' ? `Bearer ${httpKey}` : httpKey
    const headers = {
      accept: 'application/json',
      ...(httpKey && { [httpKeyHeader]: authorization as string })
    }
    const placed = url.replaceAll('{query}', encodeURIComponent(query)).replaceAll('{limit}', String(limit))
    if (placed !== url) return { url: placed, init: { headers } }
    const body = JSON.stringify({ query, limit, spaces: spaces.map(({ id, name }) => ({ id, name })) })
    return {
      url,
      init: { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    }
  }

  async function search(asked: KnowledgeQuery): Promise<readonly Passage[]> {
    const { url, init } = request(httpUrl ?? '', asked)
    const reply = await outgoing.fetch(url, {
      ...init,
      // The key goes nowhere else.
      redirect: 'error',
      maxBytes: MOST_BYTES,
      timeoutMs: httpSeconds * 1_000,
      ...(asked.signal && { signal: asked.signal })
    })
    if (!reply.ok) {
      await reply.body?.cancel()
      throw upstreamFailed(`The search service answered ${reply.status}`, { code: 'search_service' })
    }
    const body = await reply.json().catch(() => {
      throw upstreamFailed('The search service answered no JSON', { code: 'search_service' })
    })
    return passagesOf(body, asked)
  }

  function passagesOf(body: unknown, { spaces, limit }: KnowledgeQuery): Passage[] {
    const results = at(body, settings.httpResults)
    if (!Array.isArray(results))
      throw upstreamFailed('The search service answered no list of results', { code: 'search_service' })
    const spaceId = spaces[0]?.id ?? ''
    return results.slice(0, limit).flatMap((result, index) => {
      const text = textAt(result, settings.httpText)?.slice(0, MOST_TEXT)
      if (text === undefined) return []
      const url = textAt(result, settings.httpLink)
      const title = textAt(result, settings.httpTitle)?.slice(0, 500) ?? url ?? 'Untitled'
      const passage = {
        spaceId,
        documentId: null,
        version: null,
        path: null,
        heading: null,
        page: null,
        highlights: []
      }
      // By rank: scores of services are not comparable with any other.
      return [{ ...passage, title, url: safe(url), text, start: 0, end: text.length, score: 1 / (index + 1) }]
    })
  }

  return {
    name: 'HTTP',
    description: 'A search service behind HTTP, as the settings of the pack say',
    isConfigured: () => httpUrl !== undefined,
    search
  }
}

/** What lies at `a.b.c`; the value itself for no path. */
const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>(
      (it, name) =>
        typeof it === 'object' && it !== null && Object.hasOwn(it, name)
          ? (it as Record<string, unknown>)[name]
          : undefined,
      value
    )

function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path)
  return typeof found === 'string' && found.trim() !== ''
    ? found.toWellFormed().replaceAll('\0', '')
    : undefined
}

/** Addresses that a page may link to. */
const safe = (url: string | undefined): string | null =>
  url && /^https?:\/\//i.test(url) ? url.slice(0, 2_000) : null
