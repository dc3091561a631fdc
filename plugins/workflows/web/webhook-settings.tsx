import { Alert, Button, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  baseUrl,
  CodeBlock,
  ConfirmButton,
  Details,
  ErrorNotice,
  Loaded,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { webhookQuery } from './queries.ts'
import { ValueField } from './value-field.tsx'

type Webhook = Schemas['Webhook']

/** How a workflow is begun, or told something, from outside. */
export function WebhookSettings({ workflowId }: { workflowId: string }) {
  const webhook = useQuery(webhookQuery(workflowId))
  return (
    <Stack gap="lg" maw={760}>
      <Loaded query={webhook}>
        {(webhook) => <WebhookForm webhook={webhook} workflowId={workflowId} />}
      </Loaded>
    </Stack>
  )
}

function WebhookForm({ webhook, workflowId }: { webhook: Webhook; workflowId: string }) {
  const params = { path: { id: workflowId } }
  const changes = [['workflows', workflowId, 'webhook']]
  const [isSigned, setSigned] = useState(webhook.signed)
  const [mapping, setMapping] = useState<unknown>(webhook.mapping ?? undefined)
  const [event, setEvent] = useState<unknown>(webhook.event ?? undefined)
  const minting = useAction({
    run: () =>
      api.post('/v1/workflows/{id}/webhook-token', {
        params,
        body: { secret: isSigned, mapping: mapping ?? null, event: (event ?? null) as Webhook['event'] },
        // A secret is shown in the first answer alone.
        idempotencyKey: false
      }),
    changes,
    isQuiet: true
  })
  const disabling = useAction({
    run: () => api.delete('/v1/workflows/{id}/webhook-token', { params }),
    changes,
    done: 'The webhook is off',
    onDone: () => minting.reset()
  })
  const { enabled, prefix, signed, mintedAt } = webhook
  const mint = enabled ? (
    <ConfirmButton
      title="Make a new address?"
      warning="The address before it is refused from then on: whatever delivers to it needs the new one."
      color="indigo"
      onClick={() => minting.mutate()}
      loading={minting.isPending}
    >
      Save with a new address
    </ConfirmButton>
  ) : (
    <Button size="sm" onClick={() => minting.mutate()} loading={minting.isPending}>
      Switch the webhook on
    </Button>
  )
  return (
    <>
      <Card withBorder padding="lg">
        <Details
          of={{
            Webhook: enabled ? 'On' : 'Off',
            Address: enabled ? `…/v1/workflows/webhooks/${prefix}…` : undefined,
            Deliveries: enabled ? (signed ? 'Have to be signed' : 'By the address alone') : undefined,
            Created: enabled ? <TimeAgo at={mintedAt} /> : undefined
          }}
        />
      </Card>
      {minting.data && <Minted {...minting.data.data} />}
      <Switch
        label="Deliveries have to be signed"
        description="By the rules of Standard Webhooks, with a secret that is made for it."
        checked={isSigned}
        onChange={({ currentTarget }) => setSigned(currentTarget.checked)}
      />
      <ValueField
        label="Input of the execution"
        description="With expressions over body, headers, query and method. Left out: the body."
        value={mapping}
        onChange={setMapping}
      />
      <ValueField
        label="Event"
        description="An object with event, key, executionId and data: for an execution that waits. Left out: each delivery begins an execution."
        value={event}
        onChange={setEvent}
      />
      {minting.error ? <ErrorNotice error={minting.error} /> : null}
      <Group>
        {mint}
        {enabled && (
          <ConfirmButton
            title="Switch the webhook off?"
            warning="Its address is refused from then on, and does not come back: switched on again it has a new one."
            onClick={() => disabling.mutate()}
            loading={disabling.isPending}
          >
            Switch off
          </ConfirmButton>
        )}
      </Group>
    </>
  )
}

const Minted = ({ token, secret }: { token: string; secret: string | null }) => (
  <Alert variant="light" title="Keep this now: it is not shown again" role="status">
    <Stack gap="xs">
      <Text size="sm">Address</Text>
      <CodeBlock label="Address" value={`${baseUrl}/v1/workflows/webhooks/${token}`} />
      {secret && (
        <>
          <Text size="sm">Secret for signing</Text>
          <CodeBlock label="Secret" value={secret} />
        </>
      )}
    </Stack>
  </Alert>
)
