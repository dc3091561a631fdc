import type { SelectProps } from '@mantine/core'
import { Anchor, Select } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { api } from './api.ts'

/** More are not offered to choose from. */
const OFFERED = 500

export const agentNamesQuery = queryOptions({
  queryKey: ['agents', 'names'],
  async queryFn({ signal }) {
    const names: { id: string; name: string }[] = []
    for await (const { id, name } of api.list('/v1/agents', { params: { query: { limit: 100 } }, signal }))
      if (names.push({ id, name }) === OFFERED) break
    return names
  },
  staleTime: 30_000
})

/** Names of the caller's agents by their ids; empty until they are there. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(agentNamesQuery)
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data])
}

interface Props extends Omit<SelectProps, 'data'> {
  /** Not offered. */
  readonly without?: readonly string[]
}

/** One of the caller's agents, by its name. */
export function AgentSelect({ without = [], ...props }: Props) {
  const { data = [], error } = useQuery(agentNamesQuery)
  const options = data
    .filter(({ id }) => !without.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }))
  const { value } = props
  // It may be one that is not offered.
  const isOffered = !value || options.some((it) => it.value === value)
  return (
    <Select
      label="Agent"
      placeholder="Choose an agent"
      searchable
      nothingFoundMessage="No agent of that name"
      error={error ? 'The agents could not be listed' : undefined}
      {...props}
      data={isOffered ? options : [{ value, label: value }, ...options]}
    />
  )
}

/** An agent's name, leading to it. */
export function AgentLink({ agentId }: { agentId: string }) {
  const { data = [] } = useQuery(agentNamesQuery)
  return (
    <Anchor component={Link} href={`/agents/${agentId}`} size="sm">
      {data.find(({ id }) => id === agentId)?.name ?? agentId}
    </Anchor>
  )
}
