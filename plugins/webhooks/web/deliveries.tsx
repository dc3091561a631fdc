import { Anchor, Button, Stack, Title } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  StatusBadge,
  TimeAgo,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Send } from 'lucide-react'
import { DeliveryDetails } from './delivery-details.tsx'

type Delivery = Schemas['WebhookDelivery']

/** What a webhook was sent, and what came of it. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { search, change } = useAddress()
  const list = useList(
    ['webhooks', webhookId, 'deliveries'],
    (cursor, signal) =>
      api.get('/v1/webhooks/{webhookId}/deliveries', {
        params: { path: { webhookId }, query: { limit: 50, cursor } },
        signal
      }),
    { refresh: 3_000 }
  )
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        Deliveries
      </Title>
      <ListTable
        label="Deliveries"
        list={list}
        empty={
          <EmptyState icon={Send} title="Nothing was sent yet">
            Each event that it is told of stands here, with what the receiver answered.
          </EmptyState>
        }
        columns={[
          {
            header: 'Event',
            cell: ({ id, type }) => (
              <Anchor
                size="sm"
                component="button"
                type="button"
                onClick={() => change({ delivery: id })}
                aria-label={`What was sent of ${type}`}
              >
                {type}
              </Anchor>
            ),
            note: ({ lastError }) => lastError,
            maxWidth: 320
          },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { header: 'Answer', cell: ({ lastStatus }) => lastStatus ?? '–', isNumber: true },
          { header: 'Tries', cell: ({ attempts }) => attempts, isNumber: true },
          { header: 'Sent', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          { header: 'Again', isAction: true, cell: (delivery) => <Replay delivery={delivery} /> }
        ]}
      />
      <DeliveryDetails
        webhookId={webhookId}
        deliveryId={search.get('delivery')}
        onClose={() => change({ delivery: null })}
      />
    </Stack>
  )
}

function Replay({ delivery: { id: deliveryId, webhookId, type } }: { delivery: Delivery }) {
  const replaying = useAction({
    run: () =>
      api.post('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
        params: { path: { webhookId, deliveryId } }
      }),
    changes: [['webhooks', webhookId, 'deliveries']],
    done: 'It is sent once more'
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send again: ${type}`}
      onClick={() => replaying.mutate()}
      loading={replaying.isPending}
    >
      Send again
    </Button>
  )
}
