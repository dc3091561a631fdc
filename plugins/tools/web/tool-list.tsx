import { Button, Center, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
import { KeyRound, List, Plus, Search, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { NewTool } from './new-tool.tsx'
import type { AccessibleTool } from './queries.ts'
import { accessibleQuery } from './queries.ts'

const SHOWN = 100

/** All tools that the caller may use: its own, those of tool servers, and those that packs bring. */
export default function ToolList() {
  const tools = useQuery(accessibleQuery)
  const [, navigate] = useLocation()
  const [search, setSearch] = useSearchParams()
  const words = search.get('q') ?? ''
  const kind = search.get('kind') ?? 'all'
  const set = (q: string, kind: string) =>
    setSearch({ ...(q && { q }), ...(kind !== 'all' && { kind }) }, { replace: true })
  return (
    <PageFrame
      title="Tools"
      description="What agents can do beside talking. Assign them on the page of an agent."
      actions={
        <>
          <Button
            component={Link}
            href="/tools/calls"
            variant="default"
            leftSection={<List size={16} aria-hidden />}
          >
            Calls
          </Button>
          <Button
            component={Link}
            href="/tool-keys"
            variant="default"
            leftSection={<KeyRound size={16} aria-hidden />}
          >
            Keys
          </Button>
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
            New tool
          </Button>
        </>
      }
    >
      <Stack gap="md">
        <Loaded query={tools}>
          {(tools) => {
            const kinds = [...new Set(tools.map(({ kind }) => kind))].sort()
            const shown = tools.filter(
              (tool) => (kind === 'all' || tool.kind === kind) && isNamed(tool, words)
            )
            return (
              <>
                <Group gap="sm">
                  <TextInput
                    aria-label="Search tools"
                    placeholder="Search tools"
                    leftSection={<Search size={16} aria-hidden />}
                    value={words}
                    onChange={({ currentTarget }) => set(currentTarget.value, kind)}
                    w={{ base: '100%', xs: 280 }}
                  />
                  {kinds.length > 1 && (
                    <SegmentedControl
                      aria-label="Kind"
                      size="xs"
                      data={[
                        { value: 'all', label: 'All' },
                        ...kinds.map((value) => ({ value, label: kindNames[value] ?? value }))
                      ]}
                      value={kind}
                      onChange={(kind) => set(words, kind)}
                    />
                  )}
                </Group>
                <Tools key={`${words} ${kind}`} tools={shown} />
              </>
            )
          }}
        </Loaded>
      </Stack>
      <NewTool
        isOpen={search.has('new')}
        onClose={() => setSearch({}, { replace: true })}
        onCreated={(name) => navigate(`/tools/${name}`)}
      />
    </PageFrame>
  )
}

const kindNames: Readonly<Record<string, string>> = { static: 'Built in', http: 'HTTP', mcp: 'MCP servers' }

const isNamed = ({ name, description }: AccessibleTool, words: string) =>
  `${name} ${description}`.toLowerCase().includes(words.trim().toLowerCase())

function Tools({ tools }: { tools: readonly AccessibleTool[] }) {
  const [count, setCount] = useState(SHOWN)
  return (
    <Stack gap="md">
      <DataTable
        label="Tools"
        rows={tools.slice(0, count)}
        empty={
          <EmptyState icon={Wrench} title="No such tool">
            Make an HTTP service a tool, or add an MCP server.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/tools/${id}`,
            cell: ({ name }) => name,
            note: ({ description }) => description,
            maxWidth: 460
          },
          { header: 'Kind', cell: ({ kind }) => kindNames[kind] ?? kind },
          {
            header: 'State',
            cell: ({ available }) => <StatusBadge status={available ? 'available' : 'unavailable'} />,
            note: ({ unavailable }) => unavailable,
            maxWidth: 240
          },
          { header: 'Owner', cell: ({ owner }) => owner ?? 'Everyone’s' }
        ]}
      />
      {tools.length > count && (
        <Center>
          <Button variant="default" onClick={() => setCount(count + SHOWN)}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  )
}
