import { Button, Group } from '@mantine/core'
import type { Guard } from 'agent-platform/console'
import {
  ActionButton,
  api,
  ConfirmButton,
  EmptyState,
  ListTable,
  Panel,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { NameForm } from './name-form.tsx'

const challenge = () => api.post('/v1/passkeys/challenges', { idempotencyKey: false })

/** By what a device proves. */
export function Passkeys({ guard }: { guard: Guard }) {
  const [isAdding, setIsAdding] = useState(false)
  const [renamed, setRenamed] = useState<{ id: string; name: string }>()
  const list = useList(['passkeys'], (cursor, signal) =>
    api.get('/v1/passkeys', { params: { query: { limit: 50, cursor } }, signal })
  )
  const removing = useAction({
    run: (passkeyId: string) =>
      guard(() => api.delete('/v1/passkeys/{passkeyId}', { params: { path: { passkeyId } } })),
    changes: [['passkeys']],
    done: 'The passkey is removed'
  })
  // The device is asked once the person has confirmed who it is: two dialogs at once would be in each other's way.
  const beginning = useAction({ run: () => guard(challenge), onDone: () => setIsAdding(true) })
  const add = (
    <Button
      variant="default"
      leftSection={<Fingerprint size={16} aria-hidden />}
      onClick={() => beginning.mutate()}
    >
      Add a passkey
    </Button>
  )
  return (
    <Panel title="Passkeys" actions={add}>
      <ListTable
        label="Passkeys"
        list={list}
        empty={
          <EmptyState icon={Fingerprint} title="No passkeys yet">
            With one you sign in by your fingerprint, your face or a key, and without a password.
          </EmptyState>
        }
        columns={[
          { header: 'Name', cell: ({ name }) => name, maxWidth: 280 },
          { header: 'Where', cell: ({ isSynced }) => (isSynced ? 'On your devices' : 'On one device') },
          { header: 'Added', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'Never')
          },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, name }) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ActionButton
                  size="compact-sm"
                  variant="default"
                  aria-label={`Rename ${name}`}
                  onClick={() => setRenamed({ id, name })}
                >
                  Rename
                </ActionButton>
                <ConfirmButton
                  size="compact-sm"
                  aria-label={`Remove ${name}`}
                  title={`Remove ${name}?`}
                  warning="Nobody signs in with it any more. Remove it from the device as well."
                  onClick={() => removing.mutate(id)}
                >
                  Remove
                </ConfirmButton>
              </Group>
            )
          }
        ]}
      />
      <NameForm
        title="Add a passkey"
        {...asked}
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        run={async (name) => {
          const { data } = await challenge()
          const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
            data.publicKey as unknown as PublicKeyCredentialCreationOptionsJSON
          )
          const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
          const body = { name, response: { ...made.toJSON() } }
          await api.post('/v1/passkeys', { body, idempotencyKey: false })
        }}
      />
      <NameForm
        key={renamed?.id}
        title="Rename the passkey"
        {...asked}
        value={renamed?.name}
        isOpen={renamed !== undefined}
        onClose={() => setRenamed(undefined)}
        run={(name) =>
          api.put('/v1/passkeys/{passkeyId}', {
            params: { path: { passkeyId: renamed?.id ?? '' } },
            body: { name }
          })
        }
      />
    </Panel>
  )
}

const asked = {
  label: 'Name',
  description: 'So that you know which it is.',
  submit: 'Go on',
  changes: [['passkeys']]
} as const
