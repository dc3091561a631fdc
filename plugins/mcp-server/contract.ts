import type { PageOf, Paging, Principal } from 'agent-platform'

/** A tool of a source. */
export interface ServedTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  /** JSON Schema of an object, where it gives one. */
  readonly output?: object
  readonly idempotent: boolean
  /** `ui://…` of the page that shows what it gives. */
  readonly page?: string
}

/** A document that a client shows beside what a tool gave, in a frame that reaches no network. */
export interface ServedPage {
  /** `ui://…` */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
}

export interface ServedCall {
  readonly signal: AbortSignal
  /** The run that calls, where the caller reaches it, and how many runs lie above that. */
  readonly runId?: string
  readonly depth?: number
}

/** What a pack serves to clients of the protocol, beside agents and their tools: to each caller what that one may use. */
export interface ToolSource {
  /** For clients that ask for the tools of no agent. */
  list(by: Principal, page: Paging): Promise<PageOf<ServedTool>>
  /**
   * Undefined where the caller has no such tool of it. A failure is a result that says so. `args` are checked by the source.
   */
  call(
    by: Principal,
    name: string,
    args: unknown,
    order: ServedCall
  ): Promise<{ readonly output: unknown } | undefined>
  /** Of tools by their ids, as `tools` knows them: the `ui://…` of those that have a page. */
  pagesOf(by: Principal, toolIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  listPages(by: Principal, page: Paging): Promise<PageOf<ServedPage>>
  /** HTML; undefined where the address is not one of its, 404 and 403 where there is no such page for the caller. */
  readPage(by: Principal, uri: string): Promise<string | undefined>
}

declare module 'agent-platform' {
  interface Points {
    'mcp-server.source': ToolSource
  }
}
