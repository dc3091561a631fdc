import { Anchor, Button, Center, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
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
                {shown.length > 0 ? (
                  <Tools key={`${words} ${kind}`} tools={shown} />
                ) : (
                  <EmptyState icon={Wrench} title="No such tool">
                    Make an HTTP service a tool, or add a tool server.
                  </EmptyState>
                )}
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

const kindNames: Readonly<Record<string, string>> = { static: 'Built in', http: 'HTTP', mcp: 'Tool servers' }

const isNamed = ({ name, description }: AccessibleTool, words: string) =>
  `${name} ${description}`.toLowerCase().includes(words.trim().toLowerCase())

function Tools({ tools }: { tools: readonly AccessibleTool[] }) {
  const [count, setCount] = useState(SHOWN)
  return (
    <Stack gap="md">
      <Table.ScrollContainer minWidth={620}>
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Owner</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tools.slice(0, count).map(({ id, name, description, kind, available, unavailable, owner }) => (
              <Table.Tr key={id}>
                <Table.Td maw={460}>
                  <Anchor component={Link} href={`/tools/${id}`} fw={550} c="inherit" style={anywhere}>
                    {name}
                  </Anchor>
                  <Text size="xs" c="dimmed" lineClamp={2} style={anywhere}>
                    {description.slice(0, 300)}
                  </Text>
                </Table.Td>
                <Table.Td>{kindNames[kind] ?? kind}</Table.Td>
                <Table.Td maw={240}>
                  <StatusBadge status={available ? 'available' : 'unavailable'} />
                  {unavailable && (
                    <Text size="xs" c="dimmed" lineClamp={2} mt={4}>
                      {unavailable}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{owner ?? 'Everyone’s'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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

const anywhere = { overflowWrap: 'anywhere' } as const
