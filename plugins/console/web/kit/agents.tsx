import type { SelectProps } from '@mantine/core'
import { Anchor } from '@mantine/core'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { api } from './api.ts'
import { SearchSelect } from './search-select.tsx'

/** Names of the newest agents by their IDs. */
export const newestAgentsQuery = queryOptions({
  queryKey: ['agents', 'names'],
  async queryFn({ signal }) {
    const { data } = await api.get('/v1/agents', { params: { query: { limit: 100 } }, signal })
    return new Map(data.map(({ id, name }) => [id, name]))
  },
  staleTime: 30_000
})

const nameQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId, 'name'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}', { params: { path: { agentId } }, signal })).data.name,
    staleTime: 30_000
  })

/** Names of agents by their IDs. Those that are not read yet, or that the caller must not read, are missing. */
export function useAgentNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data: newest } = useQuery(newestAgentsQuery)
  const others = newest ? [...new Set(ids)].filter((id) => !newest.has(id)) : []
  // One array, and so one map, while the names stay.
  const read = useQueries({
    queries: others.map(nameQuery),
    combine: (results) => results.map(({ data }, at) => ({ id: others[at] ?? '', name: data }))
  })
  return useMemo(
    () =>
      new Map([...(newest ?? []), ...read.flatMap(({ id, name }) => (name ? [[id, name] as const] : []))]),
    [newest, read]
  )
}

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string | null
  readonly onChange: (agentId: string | null) => void
  /** Not offered. */
  readonly without?: readonly string[]
}

/** One of the caller's agents, found by name or ID. */
export const AgentSelect = ({ without = [], ...props }: Props) => (
  <SearchSelect
    label="Agent"
    placeholder="Choose an agent"
    {...props}
    what="agents"
    find={async (query, signal) => {
      const { data } = await api.get('/v1/agents', { params: { query }, signal })
      return data
        .filter(({ id }) => !without.includes(id))
        .map(({ id, name }) => ({ value: id, label: name }))
    }}
    read={async (agentId, signal) =>
      (await api.get('/v1/agents/{agentId}', { params: { path: { agentId } }, signal })).data.name
    }
  />
)

/** An agent's name, leading to it. */
export const AgentLink = ({ agentId }: { agentId: string }) => (
  <Anchor component={Link} href={`/agents/${agentId}`} size="sm">
    {useAgentNames([agentId]).get(agentId) ?? agentId}
  </Anchor>
)
