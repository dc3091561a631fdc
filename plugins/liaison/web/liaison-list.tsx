import { Button } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { Handshake, Plus } from 'lucide-react'
import { NewLiaison } from './new-liaison.tsx'

export default function LiaisonList() {
  const { search, change } = useAddress()
  const list = useList(['liaisons'], (cursor, signal) =>
    api.get('/v1/liaison', { params: { query: { limit: 50, cursor } }, signal })
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
      New liaison
    </Button>
  )
  return (
    <PageFrame
      title="Liaisons"
      description="Agents that speak to outsiders for a person or another agent. They tell what they were given, and ask before they go further."
      actions={create}
    >
      <ListTable
        label="Liaisons"
        list={list}
        empty={
          <EmptyState icon={Handshake} title="No liaisons yet" action={create}>
            Make one, and give its token to those who may speak to it.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/liaisons/${id}`,
            cell: ({ name }) => name,
            note: ({ purpose }) => purpose,
            maxWidth: 480
          },
          { header: 'Stands for', cell: ({ standsFor }) => standsFor.name, maxWidth: 240 },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <NewLiaison isOpen={search.has('new')} onClose={() => change({ new: null })} />
    </PageFrame>
  )
}
