import { Anchor, Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, EmptyState, ListView, SearchField, useAddress, useList } from 'agent-platform/console'
import { Brain, Plus, SearchX } from 'lucide-react'
import { Link } from 'wouter'
import { MemoryTable } from './memory-table.tsx'
import { NewMemory } from './new-memory.tsx'
import type { MemoryType } from './queries.ts'
import { scopesQuery, statsQuery, typeOptions, types } from './queries.ts'

/** An agent's memories: listed by scope and kind, or found by what is asked. The address says which. */
export function AgentMemoryView({ agentId }: { agentId: string }) {
  const { search, change } = useAddress()
  const { data: scopes = [] } = useQuery(scopesQuery(agentId))
  const query = search.get('q') ?? ''
  const type = typeOptions.find(({ value }) => value === search.get('type'))?.value as MemoryType | undefined
  const scopeId = search.get('scope') ?? undefined
  return (
    <Stack gap="md">
      <Stats agentId={agentId} />
      <Group gap="sm">
        <SearchField
          label="Search memories, as you would ask"
          value={query}
          maxLength={1_000}
          onChange={(q) => change({ q })}
        />
        <Select
          aria-label="Kind"
          placeholder="Any kind"
          data={typeOptions}
          value={type ?? null}
          onChange={(next) => change({ type: next ?? undefined })}
          clearable
          w={150}
        />
        {!query && scopes.length > 0 && (
          <Select
            aria-label="Shared scope"
            placeholder="All scopes"
            data={scopes.map(({ id, name }) => ({ value: id, label: name }))}
            value={scopeId ?? null}
            onChange={(scope) => change({ scope: scope ?? undefined })}
            clearable
            w={190}
          />
        )}
        {!query && (
          <Switch
            label="Past ones too"
            checked={search.has('all')}
            onChange={({ currentTarget }) => change({ all: currentTarget.checked ? '1' : undefined })}
          />
        )}
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => change({ new: 'memory' })}
        >
          New memory
        </Button>
      </Group>
      {scopeId && !query && (
        <Anchor component={Link} href={`/memories/scopes/${scopeId}`} size="sm">
          Agents and settings of this scope
        </Anchor>
      )}
      {query ? (
        <Found agentId={agentId} query={query} type={type} />
      ) : (
        <Listed agentId={agentId} type={type} scopeId={scopeId} all={search.has('all')} />
      )}
      <NewMemory
        agentId={agentId}
        scopes={scopes}
        isOpen={search.get('new') === 'memory'}
        onClose={() => change({ new: undefined })}
      />
    </Stack>
  )
}

function Stats({ agentId }: { agentId: string }) {
  const { data } = useQuery(statsQuery(agentId))
  if (!data || data.total + data.past === 0) return null
  const kinds = typeOptions
    .map(({ value }) => [value as MemoryType, data.types[value as MemoryType]] as const)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => `${count} ${types[type].toLowerCase()}${count === 1 ? '' : 's'}`)
  const waiting = data.embedding.total - data.embedding.embedded
  return (
    <Text size="sm" c="dimmed">
      {[
        ...kinds,
        ...(data.past > 0 ? [`${data.past} past`] : []),
        ...(waiting > 0 ? [`${waiting} found by their words alone so far`] : [])
      ].join(' · ')}
    </Text>
  )
}

interface Which {
  readonly agentId: string
  readonly type: MemoryType | undefined
}

function Listed({ agentId, ...filters }: Which & { scopeId: string | undefined; all: boolean }) {
  const list = useList(['memory', 'list', agentId, filters], (cursor, signal) =>
    api.get('/v1/memory/agents/{agentId}', {
      params: { path: { agentId }, query: { ...filters, limit: 50, cursor } },
      signal
    })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={Brain} title="Nothing is remembered">
          Give the agent the tool “remember”, turn extraction on in its settings, or write a memory yourself.
        </EmptyState>
      }
    >
      {(memories) => <MemoryTable memories={memories} />}
    </ListView>
  )
}

function Found({ agentId, query, type }: Which & { query: string }) {
  const list = useList(['memory', 'found', agentId, query, type], (cursor, signal) =>
    api.get('/v1/memory/agents/{agentId}/retrieve', {
      params: { path: { agentId }, query: { query, type, limit: 20, cursor } },
      signal
    })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={SearchX} title="Nothing was found">
          The agent remembers nothing like it. Try other words.
        </EmptyState>
      }
    >
      {(memories) => (
        <MemoryTable
          memories={memories}
          fits={new Map(memories.map(({ id, score, why }) => [id, { score, ...why }]))}
        />
      )}
    </ListView>
  )
}
