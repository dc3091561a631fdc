import { Anchor, Button, Group, Table, Text } from '@mantine/core'
import {
  api,
  EmptyState,
  ListView,
  PageFrame,
  SearchField,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { BookOpen, Plus } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { NewSpace } from './new-space.tsx'
import { Passages } from './passages.tsx'

export default function SpaceList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const query = search.get('q') ?? ''
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
      New space
    </Button>
  )
  return (
    <PageFrame
      title="Knowledge"
      description="Spaces of documents, which people and agents write, link, search and cite."
      actions={create}
    >
      <Group mb="md" maw={560}>
        <SearchField
          label="Search all spaces, as you would ask"
          value={query}
          maxLength={1_000}
          onChange={(q) => change({ q })}
        />
      </Group>
      {query ? <Passages query={query} /> : <Spaces create={create} />}
      <NewSpace
        isOpen={search.has('new')}
        onClose={() => change({ new: undefined })}
        onCreated={(spaceId) => navigate(`/knowledge/${spaceId}`)}
      />
    </PageFrame>
  )
}

function Spaces({ create }: { create: React.ReactNode }) {
  const list = useList(['knowledge', 'list'], (cursor, signal) =>
    api.get('/v1/knowledge', { params: { query: { limit: 50, cursor } }, signal })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={BookOpen} title="No spaces yet" action={create}>
          A space holds documents in folders. Import what your agents should know, and grant it to them.
        </EmptyState>
      }
    >
      {(spaces) => (
        <Table.ScrollContainer minWidth={560}>
          <Table verticalSpacing="sm" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Searched by</Table.Th>
                <Table.Th>Your access</Table.Th>
                <Table.Th>Owner</Table.Th>
                <Table.Th>Changed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {spaces.map(({ id, name, description, provider, access, owner, updatedAt }) => (
                <Table.Tr key={id}>
                  <Table.Td maw={420}>
                    <Anchor
                      component={Link}
                      href={`/knowledge/${id}`}
                      fw={550}
                      c="inherit"
                      display="block"
                      truncate
                    >
                      {name}
                    </Anchor>
                    {description && (
                      <Text size="xs" c="dimmed" truncate>
                        {description.slice(0, 200)}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>{provider}</Table.Td>
                  <Table.Td>{access}</Table.Td>
                  <Table.Td>{owner}</Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <TimeAgo at={updatedAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </ListView>
  )
}
