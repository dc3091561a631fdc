import type { Kernel } from 'agent-platform'
import { WORDS } from '../pages/pages.ts'

export type Areas = ReturnType<typeof createAreas>

/** What an application never gets: it would stay in by people, keys and passkeys beyond what was agreed to. */
const KEPT = new Set(['projects', 'people', 'passkeys', 'auth', 'console'])
/** Of areas that are not called by what people know of them. */
const NAMES: Readonly<Record<string, string>> = {
  a2a: 'agents elsewhere',
  oauth: 'connections to other services',
  mcp: 'tool servers, and your tools by MCP',
  library: 'library of files',
  tasks: 'tasks, which act for you while you are away',
  workflows: 'workflows, which act for you while you are away',
  'spaces-stream': 'spaces as they go on',
  'ui-plugins': 'apps'
}

/**
 * What goes by ownership, as scopes: `<first segment after /v1>:read` or `:write`, as the kernel asks for them of what was narrowed
 * to a list. Those are offered of which a route is mounted now: a pack that comes brings its own along, and takes them away.
 */
export function createAreas({ packs }: Pick<Kernel, 'packs'>) {
  /** With what can be done by each, in the words of the routes. */
  function offered(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>()
    for (const { routes } of packs.mounted())
      for (const { need, access, schema } of routes) {
        const [scope = ''] = need.any
        const isForPeople = access.by === undefined && access.principals?.includes('user') !== false
        if (need.always || !isForPeople || scope in WORDS || KEPT.has(areaOf(scope))) continue
        const does = found.get(scope) ?? []
        found.set(scope, does)
        const { summary } = schema as { summary?: string }
        if (summary !== undefined && !does.includes(summary)) does.push(summary)
      }
    return found
  }

  return {
    scopes: (): readonly string[] => [...offered().keys()],

    /** What a person is asked for these, one each. */
    words(scopes: readonly string[]): readonly Asked[] {
      const known = offered()
      return scopes.map((scope) => ({ text: WORDS[scope] ?? wordsOf(scope), does: known.get(scope) ?? [] }))
    }
  }
}

export interface Asked {
  readonly text: string
  /** In more words, where there are some. */
  readonly does: readonly string[]
}

const areaOf = (scope: string): string => scope.slice(0, scope.lastIndexOf(':'))

function wordsOf(scope: string): string {
  const area = areaOf(scope)
  const name = NAMES[area] ?? area.replaceAll('-', ' ')
  return scope.endsWith(':read') ? `see your ${name}` : `change and use your ${name}`
}
