import { Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Form,
  Loaded,
  PageFrame,
  StatusBadge,
  useAction,
  useDraft
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Deliveries } from './deliveries.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { statusOf } from './status.ts'
import type { WebhookDraft } from './webhook-fields.tsx'
import { bodyOf, WebhookFields } from './webhook-fields.tsx'

type Webhook = Schemas['OutgoingWebhook']
const crumbs = [{ label: 'Webhooks', to: '/webhooks' }]

export default function WebhookPage() {
  const { webhookId = '' } = useParams()
  const webhook = useQuery({
    queryKey: ['webhooks', webhookId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/webhooks/{webhookId}', { params: { path: { webhookId } }, signal })).data
  })
  if (webhook.error)
    return (
      <PageFrame title="Webhook" crumbs={crumbs}>
        <ErrorNotice error={webhook.error} retry={() => webhook.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={webhook.data?.url ?? 'Webhook'}
      description={webhook.data?.description ?? undefined}
      crumbs={crumbs}
      badge={webhook.data && <StatusBadge status={statusOf(webhook.data)} />}
      actions={webhook.data && <Actions webhook={webhook.data} />}
    >
      <Loaded query={webhook}>
        {(webhook) => (
          <Stack gap="xl">
            <Deliveries webhookId={webhook.id} />
            <Edit key={webhook.id} webhook={webhook} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ webhook: { id: webhookId, active } }: { webhook: Webhook }) {
  const [, navigate] = useLocation()
  const [secret, setSecret] = useState<string>()
  const params = { path: { webhookId } }
  const changes = [['webhooks']]
  const testing = useAction({
    run: () => api.post('/v1/webhooks/{webhookId}/test', { params }),
    changes,
    done: 'A test message was sent'
  })
  const switching = useAction({
    run: () => api.put('/v1/webhooks/{webhookId}', { params, body: { active: !active } }),
    changes
  })
  const rotating = useAction({
    run: () => api.post('/v1/webhooks/{webhookId}/secret', { params, body: {}, idempotencyKey: false }),
    changes,
    onDone: ({ data }) => setSecret(data.secret)
  })
  const removing = useAction({
    run: () => api.delete('/v1/webhooks/{webhookId}', { params }),
    changes,
    done: 'The webhook is deleted',
    onDone: () => navigate('/webhooks')
  })
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => testing.mutate()} loading={testing.isPending}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => switching.mutate()} loading={switching.isPending}>
        {active ? 'Switch off' : 'Switch on'}
      </Button>
      <ConfirmButton
        title="Make another secret?"
        warning="Messages carry both signatures for a day, so that the receiver can be changed meanwhile."
        onClick={() => rotating.mutate()}
        loading={rotating.isPending}
      >
        New secret
      </ConfirmButton>
      <ConfirmButton
        title="Delete this webhook?"
        warning="Nothing is sent any more, and its deliveries go. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete
      </ConfirmButton>
      <ShownSecret value={secret} onDone={() => setSecret(undefined)} />
    </Group>
  )
}

const fieldsOf = ({ url, types, description }: Webhook): WebhookDraft => ({
  url,
  types,
  description: description ?? ''
})

function Edit({ webhook }: { webhook: Webhook }) {
  const { id: webhookId } = webhook
  // The URLs of some services are secrets.
  const draft = useDraft(`webhook ${webhookId}`, webhook, fieldsOf, { hasSecrets: true })
  const saving = useAction({
    run: () =>
      api.put('/v1/webhooks/{webhookId}', {
        params: { path: { webhookId } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: bodyOf(draft.value)
      }),
    changes: [['webhooks']],
    draft,
    done: 'Saved',
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack maw={720}>
        <Title order={2} size="h5">
          What it is told, and where
        </Title>
        <WebhookFields draft={draft.value} onChange={draft.change} />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
