import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Memory = Schemas['Memory']
export type RetrievedMemory = Schemas['RetrievedMemory']
export type SharedScope = Schemas['SharedScope']
export type MemoryType = Memory['type']

export const types: Readonly<Record<MemoryType, string>> = {
  fact: 'Fact',
  preference: 'Preference',
  episode: 'Episode',
  instruction: 'Instruction'
}
export const typeOptions = Object.entries(types).map(([value, label]) => ({ value, label }))

/** Whether it is so now. */
export function stateOf({ validFrom, validTo, supersededBy }: Memory): 'current' | 'past' | 'not yet' {
  const now = Date.now()
  if (supersededBy || (validTo !== null && Date.parse(validTo) <= now)) return 'past'
  return Date.parse(validFrom) > now ? 'not yet' : 'current'
}

/** Queries of memories: by `['memory']` all of them are read anew. */
export const memoryQuery = (memoryId: string) =>
  queryOptions({
    queryKey: ['memory', 'one', memoryId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/memory/{memoryId}', { params: { path: { memoryId } }, signal })).data
  })

/** As far as its past is looked at. */
const MOST = 20

/** What a memory was before, the latest first, and what took its place, the next one first. */
export const lineQuery = (memory: Memory) =>
  queryOptions({
    queryKey: ['memory', 'line', memory.id, memory.version],
    async queryFn({ signal }) {
      const follow = async (next: (memory: Memory) => string | null) => {
        const found: Memory[] = []
        for (let id = next(memory); id && found.length < MOST; ) {
          const { data } = await api.get('/v1/memory/{memoryId}', {
            params: { path: { memoryId: id } },
            signal
          })
          found.push(data)
          id = next(data)
        }
        return found
      }
      const [before, after] = await Promise.all([
        follow(({ supersedes }) => supersedes),
        follow(({ supersededBy }) => supersededBy)
      ])
      return { before, after }
    }
  })

export const statsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['memory', 'stats', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/memory/agents/{agentId}/stats', { params: { path: { agentId } }, signal })).data
  })

export const settingsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['memory', 'settings', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/memory/agents/{agentId}/settings', { params: { path: { agentId } }, signal })).data
  })

/** The shared scopes that an agent reads, with what it may do in each. */
export const scopesQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['memory', 'scopes', agentId],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/memory/shared-scopes/agents/{agentId}', {
          params: { path: { agentId }, query: { limit: 100 } },
          signal
        })
      )
  })

export const scopeQuery = (scopeId: string) =>
  queryOptions({
    queryKey: ['memory', 'scope', scopeId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/memory/shared-scopes/{scopeId}', { params: { path: { scopeId } }, signal })).data
  })
