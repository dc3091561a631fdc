import type { CallToolResult, Resource, Tool } from '@modelcontextprotocol/server'
import type { Kernel, Principal } from 'agent-platform'
import { invalid, notFound } from 'agent-platform'
import type { ServedTool, ToolSource } from '../contract.ts'
import type { CallContext } from './call-context.ts'
import { resultOf } from './results.ts'

export type Sources = ReturnType<typeof createSources>

const PAGE = 100
/** Between the key of a source and its cursor; no cursor of a list has it. */
const SEPARATOR = ':'
/** As MCP Apps names documents that clients show. */
const PAGE_TYPE = 'text/html;profile=mcp-app'
/** A page has all that it shows in itself. */
const PAGE_META = {
  ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } }
}

/** What other packs serve here. */
export function createSources({ points }: Pick<Kernel, 'points'>) {
  const all = (by?: Principal) =>
    // A token is for agents, and not for what packs serve beside them.
    by?.attenuation
      ? []
      : points.all('mcp-server.source').map(({ key = '', value }) => ({ key, source: value }))

  /** Page after page of one source after the other; `nextCursor` is undefined after the last. */
  async function walk<T>(
    by: Principal,
    cursor: string | undefined,
    of: (source: ToolSource, page: { limit: number; cursor?: string }) => ReturnType<ListOf<T>>
  ): Promise<{ found: T[]; nextCursor?: string }> {
    const [at, ...rest] = cursor?.split(SEPARATOR) ?? []
    let from = cursor === undefined ? undefined : rest.join(SEPARATOR)
    const sources = all(by)
    const first = at === undefined ? 0 : sources.findIndex(({ key }) => key === at)
    if (first < 0)
      throw invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
    const found: T[] = []
    for (const { key, source } of sources.slice(first)) {
      const { data, nextCursor } = await of(source, {
        limit: PAGE,
        ...(from !== undefined && { cursor: from })
      })
      found.push(...data)
      if (nextCursor !== null) return { found, nextCursor: `${key}${SEPARATOR}${nextCursor}` }
      from = undefined
    }
    return { found }
  }

  return {
    isEmpty: () => all().length === 0,
    /** Whether `list` gave the cursor, and not the agents. */
    isCursor: (cursor: string | undefined): cursor is string => cursor?.includes(SEPARATOR) ?? false,

    async list(by: Principal, cursor: string | undefined): Promise<{ tools: Tool[]; nextCursor?: string }> {
      const { found, ...next } = await walk(by, cursor, (source, page) => source.list(by, page))
      return { tools: found.map(toolOf), ...next }
    },

    async call(
      by: Principal,
      name: string,
      args: unknown,
      { signal, run }: CallContext
    ): Promise<CallToolResult | undefined> {
      for (const { source } of all(by)) {
        const made = await source.call(by, name, args ?? {}, {
          signal,
          ...(run && { runId: run.id, depth: run.depth })
        })
        if (made) return resultOf(made.output, false)
      }
      return undefined
    },

    /** `_meta` of tools that have a page, by the tool's id. */
    async metaOf(
      by: Principal,
      toolIds: readonly string[]
    ): Promise<ReadonlyMap<string, { _meta: NonNullable<Tool['_meta']> }>> {
      const pages = await Promise.all(all(by).map(({ source }) => source.pagesOf(by, toolIds)))
      return new Map(pages.flatMap((found) => [...found].map(([id, uri]) => [id, shownBy(uri)])))
    },

    async listPages(
      by: Principal,
      cursor: string | undefined
    ): Promise<{ resources: Resource[]; nextCursor?: string }> {
      const { found, ...next } = await walk(by, cursor, (source, page) => source.listPages(by, page))
      return { resources: found.map((it) => ({ ...it, mimeType: PAGE_TYPE, _meta: PAGE_META })), ...next }
    },

    async readPage(by: Principal, uri: string) {
      for (const { source } of all(by)) {
        const text = await source.readPage(by, uri)
        if (text !== undefined) return { contents: [{ uri, mimeType: PAGE_TYPE, text, _meta: PAGE_META }] }
      }
      throw notFound('Resource')
    }
  }
}

type ListOf<T> = () => Promise<{ data: readonly T[]; nextCursor: string | null }>

/** Under the name of today, and under that which clients of the first revision read. */
const shownBy = (uri: string) => ({ _meta: { ui: { resourceUri: uri }, 'ui/resourceUri': uri } })

const toolOf = ({ name, title, description, parameters, output, idempotent, page }: ServedTool): Tool => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema: { ...parameters, type: 'object' },
  ...(output && { outputSchema: { ...output, type: 'object' } }),
  annotations: { idempotentHint: idempotent },
  ...(page !== undefined && shownBy(page))
})
