import { Alert, Button, Group, Modal, Radio, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { api, CodeBlock, ErrorNotice, useAction, useConfirmation, useSession } from 'agent-platform/console'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'

/** Makes a key, and shows it once. */
export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [key, setKey] = useState<string>()
  const close = () => {
    onClose()
    setKey(undefined)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={key ? 'Your new key' : 'New API key'}
      size="lg"
      closeOnClickOutside={!key}
      closeOnEscape={!key}
    >
      {key ? <ShownOnce value={key} onDone={close} /> : <KeyForm onCreated={setKey} onClose={close} />}
    </Modal>
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate()
        }}
      >
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
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={creating.isPending}
              disabled={name.trim() === '' || (may === 'some' && scopes.length === 0)}
            >
              Create key
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}

const ShownOnce = ({ value, onDone }: { value: string; onDone: () => void }) => (
  <Stack>
    <Alert color="orange" variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
      It is shown this once. If it is lost, revoke it and make another.
    </Alert>
    <CodeBlock value={value} label="API key" />
    <Text size="sm" c="dimmed">
      It is sent as <code>Authorization: Bearer …</code>
    </Text>
    <Group justify="flex-end">
      <Button onClick={onDone}>I have copied it</Button>
    </Group>
  </Stack>
)
