import { Button, Checkbox, Group, NumberInput, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, newKey, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { Server } from './queries.ts'

/** A row keeps its identity while others are added or removed. */
interface Keyed {
  readonly key: string
}
interface HeaderRow extends Keyed {
  readonly name: string
  readonly value: string
  readonly secret: boolean
  /** A secret is stored: without another value it stays. */
  readonly isSet: boolean
}
interface ModelRow extends Keyed {
  readonly modelId: string
  readonly contextTokens: number | null
  readonly outputTokens: number | null
  readonly images: boolean
}

const replaced = <R extends Keyed>(rows: readonly R[], key: string, changes: Partial<R>): R[] =>
  rows.map((row) => (row.key === key ? { ...row, ...changes } : row))
const without = <R extends Keyed>(rows: readonly R[], key: string): R[] =>
  rows.filter((row) => row.key !== key)

/** A new server of the project, or one that is edited. */
export function ServerDialog({ server, onClose }: { server: Server | undefined; onClose: () => void }) {
  const [name, setName] = useState(server?.name ?? '')
  const [baseUrl, setBaseUrl] = useState(server?.baseUrl ?? '')
  const [apiKey, setApiKey] = useState('')
  const [headers, setHeaders] = useState<readonly HeaderRow[]>(
    (server?.headers ?? []).map((it) => ({ ...it, key: newKey(), value: it.value ?? '', isSet: it.secret }))
  )
  const [models, setModels] = useState<readonly ModelRow[]>(
    (server?.models ?? []).map(({ modelId, contextTokens, outputTokens, inputModalities }) => ({
      key: newKey(),
      modelId,
      contextTokens: contextTokens ?? null,
      outputTokens: outputTokens ?? null,
      images: inputModalities?.includes('image') ?? false
    }))
  )
  const body = {
    baseUrl,
    ...(apiKey && { apiKey }),
    headers: headers.map(({ name, value, secret, isSet }) => ({
      name,
      secret,
      ...(!(secret && isSet && value === '') && { value })
    })),
    models: models.map(({ key: _, images, ...model }) => ({
      ...model,
      inputModalities: images ? (['text', 'image'] as const).slice() : null
    }))
  }
  const saving = useAction({
    run: async () => {
      if (!server) return void (await api.post('/v1/models/servers', { body: { name, ...body } }))
      await api.put('/v1/models/servers/{name}', {
        params: { path: { name: server.name } },
        headers: { 'if-match': `"${server.version}"` },
        body
      })
    },
    changes: [['models']],
    done: server ? 'Server updated' : 'Server added',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Dialog opened onClose={onClose} title={server ? `Edit ${server.name}` : 'Add server'} size="xl">
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack>
          <TextInput
            label="Name"
            description="Lowercase letters, digits and hyphens."
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            disabled={server !== undefined}
            maxLength={40}
            required
          />
          <TextInput
            label="Base URL"
            type="url"
            placeholder="https://models.example.com/v1"
            value={baseUrl}
            onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
            maxLength={2_000}
            required
          />
          <PasswordInput
            label="API key"
            placeholder={server?.apiKey.set ? 'Set. Enter another to replace it' : 'None'}
            value={apiKey}
            onChange={({ currentTarget }) => setApiKey(currentTarget.value)}
            maxLength={1_000}
            autoComplete="off"
          />
          <Text fw={500}>Headers</Text>
          {headers.map((header) => (
            <Group key={header.key} align="flex-end">
              <TextInput
                label="Name"
                value={header.name}
                onChange={({ currentTarget }) =>
                  setHeaders(replaced(headers, header.key, { name: currentTarget.value, isSet: false }))
                }
                required
              />
              <TextInput
                label="Value"
                placeholder={header.isSet ? 'Set. Enter another to replace it' : ''}
                value={header.value}
                onChange={({ currentTarget }) =>
                  setHeaders(replaced(headers, header.key, { value: currentTarget.value }))
                }
              />
              <Checkbox
                label="Secret"
                checked={header.secret}
                onChange={({ currentTarget }) =>
                  setHeaders(replaced(headers, header.key, { secret: currentTarget.checked, isSet: false }))
                }
              />
              <Button variant="subtle" onClick={() => setHeaders(without(headers, header.key))}>
                Remove
              </Button>
            </Group>
          ))}
          <Button
            variant="default"
            onClick={() =>
              setHeaders([...headers, { key: newKey(), name: '', value: '', secret: false, isSet: false }])
            }
          >
            Add header
          </Button>
          <Text fw={500}>Models</Text>
          {models.map((model) => (
            <Group key={model.key} align="flex-end">
              <TextInput
                label="Model ID"
                value={model.modelId}
                onChange={({ currentTarget }) =>
                  setModels(replaced(models, model.key, { modelId: currentTarget.value }))
                }
                maxLength={200}
                required
              />
              <NumberInput
                label="Context window"
                placeholder="As reported"
                value={model.contextTokens ?? ''}
                min={1}
                allowDecimal={false}
                onChange={(value) =>
                  setModels(
                    replaced(models, model.key, { contextTokens: typeof value === 'number' ? value : null })
                  )
                }
              />
              <NumberInput
                label="Output tokens"
                placeholder="As reported"
                value={model.outputTokens ?? ''}
                min={1}
                allowDecimal={false}
                onChange={(value) =>
                  setModels(
                    replaced(models, model.key, { outputTokens: typeof value === 'number' ? value : null })
                  )
                }
              />
              <Checkbox
                label="Images"
                checked={model.images}
                onChange={({ currentTarget }) =>
                  setModels(replaced(models, model.key, { images: currentTarget.checked }))
                }
              />
              <Button variant="subtle" onClick={() => setModels(without(models, model.key))}>
                Remove
              </Button>
            </Group>
          ))}
          <Button
            variant="default"
            onClick={() =>
              setModels([
                ...models,
                { key: newKey(), modelId: '', contextTokens: null, outputTokens: null, images: false }
              ])
            }
          >
            Add model
          </Button>
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
