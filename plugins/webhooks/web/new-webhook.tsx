import { Button, Group, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
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
      form={{ title: 'New webhook', isOpen, fields: <Form onCreated={setSecret} onClose={close} /> }}
    />
  )
}

function Form({ onCreated, onClose }: { onCreated: (secret: string) => void; onClose: () => void }) {
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    // Once: the reply of a repetition would lack the secret.
    run: () => api.post('/v1/webhooks', { body: bodyOf(draft), idempotencyKey: false }),
    changes: [['webhooks']],
    onDone: ({ data }) => onCreated(data.secret),
    isQuiet: true
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate()
      }}
    >
      <Stack>
        <WebhookFields draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending} disabled={draft.types.length === 0}>
            Create webhook
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
