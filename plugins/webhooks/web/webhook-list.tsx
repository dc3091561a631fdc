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
import { Plus, Webhook } from 'lucide-react'
import { NewWebhook } from './new-webhook.tsx'
import { statusOf } from './status.ts'

export default function WebhookList() {
  const { search, change } = useAddress()
  const list = useList(['webhooks'], (cursor, signal) =>
    api.get('/v1/webhooks', { params: { query: { limit: 50, cursor } }, signal })
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
      New webhook
    </Button>
  )
  return (
    <PageFrame
      title="Webhooks"
      description="Programs elsewhere are told what happened, signed, and again until they take it."
      actions={create}
    >
      <ListTable
        label="Webhooks"
        list={list}
        empty={
          <EmptyState icon={Webhook} title="No webhooks yet" action={create}>
            Give an address, and what it is to be told of.
          </EmptyState>
        }
        columns={[
          {
            header: 'Address',
            to: ({ id }) => `/webhooks/${id}`,
            cell: ({ url }) => url,
            note: ({ description }) => description,
            maxWidth: 480
          },
          { header: 'Events', cell: ({ types }) => types.join(', '), maxWidth: 320 },
          { header: 'Status', cell: (webhook) => <StatusBadge status={statusOf(webhook)} /> },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <NewWebhook isOpen={search.has('new')} onClose={() => change({ new: null })} />
    </PageFrame>
  )
}
