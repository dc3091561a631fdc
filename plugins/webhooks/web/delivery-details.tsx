import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, CodeBlock, DataTable, Dialog, Loaded, TimeAgo } from 'agent-platform/console'

interface Props {
  readonly webhookId: string
  readonly deliveryId: string | null
  onClose(): void
}

/** What was sent, and what came of each attempt. */
export const DeliveryDetails = ({ webhookId, deliveryId, onClose }: Props) => (
  <Dialog opened={deliveryId !== null} onClose={onClose} title="Delivery" size="xl">
    {deliveryId !== null && <Shown webhookId={webhookId} deliveryId={deliveryId} />}
  </Dialog>
)

function Shown({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const delivery = useQuery({
    queryKey: ['webhooks', webhookId, 'deliveries', deliveryId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/webhooks/{webhookId}/deliveries/{deliveryId}', {
          params: { path: { webhookId, deliveryId } },
          signal
        })
      ).data
  })
  return (
    <Loaded query={delivery}>
      {({ payload, tried }) => (
        <Stack gap="lg">
          <DataTable
            label="Attempts"
            rows={tried}
            keyOf={({ at }) => at}
            empty="It was not tried yet."
            columns={[
              { header: 'Tried', cell: ({ at }) => <TimeAgo at={at} /> },
              { header: 'Answer', cell: ({ status }) => status ?? '–', isNumber: true },
              { header: 'Took', cell: ({ milliseconds }) => `${milliseconds} ms`, isNumber: true },
              {
                header: 'What came',
                cell: ({ error, reply }) => error ?? reply ?? 'Nothing',
                note: ({ error, reply }) => error && reply,
                maxWidth: 320
              }
            ]}
          />
          <Stack gap="xs">
            <Title order={3} size="h6">
              Message
            </Title>
            <CodeBlock value={payload} label="Message" />
          </Stack>
        </Stack>
      )}
    </Loaded>
  )
}
