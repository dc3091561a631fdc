import { Button, Group, Radio, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import {
  api,
  CancelButton,
  ErrorNotice,
  Form,
  ShownOnce,
  useAction,
  useConfirmation,
  useSession
} from 'agent-platform/console'
import { useState } from 'react'

/** Makes a key, and shows it once. */
export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [key, setKey] = useState<string>()
  const close = () => {
    onClose()
    setKey(undefined)
  }
  return (
    <ShownOnce
      title="Your new key"
      label="API key"
      what="It is shown this once. If it is lost, revoke it and make another."
      note={
        <>
          It is sent as <code>Authorization: Bearer …</code>
        </>
      }
      value={key}
      onDone={close}
      form={{ title: 'New API key', isOpen, fields: <KeyForm onCreated={setKey} onClose={close} /> }}
    />
  )
}

function KeyForm({
  onCreated,
  onClose
}: {
  onCreated: (key: string | undefined) => void
  onClose: () => void
}) {
  const { principal } = useSession()
  const [name, setName] = useState('')
  const [may, setMay] = useState('all')
  const [scopes, setScopes] = useState<string[]>([])
  const { guard, dialog } = useConfirmation()
  const own = (principal?.scopes ?? []).filter((scope) => scope !== 'platform:admin')
  const creating = useAction({
    // Once: the reply of a repetition would lack the key.
    run: () =>
      guard(() =>
        api.post('/v1/auth/api-keys', {
          body: { name, ...(may === 'some' && { scopes }) },
          idempotencyKey: false
        })
      ),
    changes: [['api-keys']],
    onDone: ({ data }) => onCreated(data.key),
    isQuiet: true
  })
  return (
    <>
      {/* Beside the form: what is submitted in it would be submitted here as well. */}
      {dialog}
      <Form action={creating} onSubmit={() => creating.mutate()}>
        <Stack>
          <TextInput
            label="Name"
            description="What it is for, so that you know which to revoke."
            placeholder="Nightly report"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
            autoComplete="off"
          />
          <Radio.Group label="What it may" value={may} onChange={setMay}>
            <Stack gap="xs" mt="xs">
              <Radio
                value="all"
                label="Everything that you may"
                description="Except what only operators may (platform:admin)."
              />
              <Radio value="some" label="Only these scopes" />
            </Stack>
          </Radio.Group>
          {may === 'some' && (
            <TagsInput
              label="Scopes"
              description="From the list, or an area with :read or :write, such as goals:read."
              data={own}
              value={scopes}
              onChange={setScopes}
              maxTags={100}
              required
            />
          )}
          <Text size="sm" c="dimmed">
            It stays when you sign out, until it is revoked, or the key or link that you signed in with is.
          </Text>
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button
              type="submit"
              loading={creating.isPending}
              disabled={name.trim() === '' || (may === 'some' && scopes.length === 0)}
            >
              Create key
            </Button>
          </Group>
        </Stack>
      </Form>
    </>
  )
}
