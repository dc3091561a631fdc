import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Tool } from '../contract.ts'
import type { Live } from './live-runs.ts'

export type OfferedTools = NonNullable<LanguageModelV4CallOptions['tools']>

/** The caller's tools before those of packs, which are sorted: providers find them in their caches. */
export function offeredTools({ run }: Live, tools: ReadonlyMap<string, Tool>): OfferedTools {
  const cliTools = run.request.cliTools ?? []
  const own = cliTools.map(({ name, description, parameters = { type: 'object' } }) => ({
    type: 'function' as const,
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters as object
  }))
  const names = new Set(own.map(({ name }) => name))
  const others = [...tools.values()].filter(({ name }) => !names.has(name))
  return [
    ...own,
    ...others.sort(byName).map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      ...(description !== undefined && { description }),
      inputSchema: parameters
    }))
  ]
}

const byName = (a: Tool, b: Tool): number => (a.name < b.name ? -1 : 1)
