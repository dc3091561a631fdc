import { Alert, Autocomplete, Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'

type Capability = Schemas['CapabilityProvider']

interface Props {
  readonly capability: Capability | undefined
  readonly onClose: () => void
}

export const ChooseProvider = ({ capability, onClose }: Props) => (
  <Dialog
    opened={capability !== undefined}
    onClose={onClose}
    title={`What serves ${capability?.title.toLowerCase() ?? ''}`}
    size="lg"
  >
    {capability && <Fields key={capability.capability} capability={capability} onClose={onClose} />}
  </Dialog>
)

function Fields({ capability, onClose }: { capability: Capability; onClose: () => void }) {
  const { capability: key, options, version } = capability
  const [provider, setProvider] = useState(capability.provider ?? options[0]?.provider ?? null)
  const [modelId, setModelId] = useState(capability.modelId ?? '')
  const [apiKey, setApiKey] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const option = options.find((it) => it.provider === provider)
  const choosing = useAction({
    run: () =>
      api.put('/v1/providers/{capability}', {
        params: { path: { capability: key } },
        headers: { 'if-match': `"${version}"` },
        body: {
          provider: provider ?? '',
          modelId: modelId || null,
          ...(apiKey && { apiKey }),
          ...(baseUrl && { baseUrl })
        }
      }),
    changes: [['providers'], ['models']],
    done: 'It answered, and is chosen',
    onDone: onClose,
    isQuiet: true
  })
  if (options.length === 0) return <Alert color="orange">Nothing that is installed serves it.</Alert>
  return (
    <Form action={choosing} onSubmit={() => choosing.mutate()}>
      <Stack>
        <Select
          label="Provider"
          data={options.map(({ provider, name, configured }) => ({
            value: provider,
            label: configured ? name : `${name} (not configured)`
          }))}
          value={provider}
          onChange={(value) => {
            setProvider(value)
            setModelId('')
          }}
          allowDeselect={false}
          required
        />
        <Autocomplete
          label="Model"
          description="Left empty: its default."
          data={[...new Set(option?.models ?? [])]}
          value={modelId}
          onChange={setModelId}
          maxLength={200}
        />
        {option?.takes.includes('apiKey') && (
          <PasswordInput
            label="Key of the project’s own"
            description="Left empty: as it is. It is sealed, never shown again, and used for all that this provider does for the project."
            value={apiKey}
            onChange={({ currentTarget }) => setApiKey(currentTarget.value)}
            autoComplete="off"
          />
        )}
        {option?.takes.includes('baseUrl') && (
          <TextInput
            label="Address of the project’s own"
            description="Left empty: as it is."
            placeholder="https://models.example.com/v1"
            value={baseUrl}
            onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
          />
        )}
        {choosing.error ? <ErrorNotice error={choosing.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={choosing.isPending} disabled={provider === null}>
            Try and choose
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
