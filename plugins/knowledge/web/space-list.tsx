import { Button, Group } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  SearchField,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { BookOpen, Plus } from 'lucide-react'
import { useLocation } from 'wouter'
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
    <ListTable
      label="Spaces"
      list={list}
      empty={
        <EmptyState icon={BookOpen} title="No spaces yet" action={create}>
          A space holds documents in folders. Import what your agents should know, and grant it to them.
        </EmptyState>
      }
      columns={[
        {
          header: 'Name',
          to: ({ id }) => `/knowledge/${id}`,
          cell: ({ name }) => name,
          note: ({ description }) => description
        },
        { header: 'Searched by', cell: ({ provider }) => provider },
        { header: 'Your access', cell: ({ access }) => access },
        { header: 'Owner', cell: ({ owner }) => owner },
        { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
      ]}
    />
  )
}
