import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import { useState } from 'react'
import { ShownSecret } from './shown-secret.tsx'
import type { WebhookDraft } from './webhook-fields.tsx'
import { bodyOf, WebhookFields } from './webhook-fields.tsx'

const blank: WebhookDraft = { url: '', types: ['runs.completed', 'runs.failed'], description: '' }

/** Makes a webhook, and shows its secret once. */
export function NewWebhook({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const close = () => {
    onClose()
    setSecret(undefined)
  }
  return (
    <ShownSecret
      value={secret}
      onDone={close}
      form={{
        title: 'New webhook',
        isOpen,
        fields: <NewWebhookForm onCreated={setSecret} onClose={close} />
      }}
    />
  )
}

function NewWebhookForm({
  onCreated,
  onClose
}: {
  onCreated: (secret: string) => void
  onClose: () => void
}) {
  const draft = useDraft('new webhook', undefined, () => blank, { hasSecrets: true })
  const creating = useAction({
    // Once: the reply of a repetition would lack the secret.
    run: () => api.post('/v1/webhooks', { body: bodyOf(draft.value), idempotencyKey: false }),
    changes: [['webhooks']],
    draft,
    onDone: ({ data }) => onCreated(data.secret),
    isQuiet: true
  })
  return (
    <Form action={creating} draft={draft} onSubmit={() => creating.mutate()}>
      <Stack>
        <WebhookFields draft={draft.value} onChange={draft.change} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending} disabled={draft.value.types.length === 0}>
            Create webhook
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
