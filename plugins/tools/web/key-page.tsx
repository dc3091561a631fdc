import { Button, Code, Group, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Form,
  Loaded,
  PageFrame,
  Panel,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { KeyMappings } from './key-mappings.tsx'
import type { ToolKey } from './queries.ts'
import { keyQuery } from './queries.ts'

/** A key: where it is used, whether it works, another value for it, and its end. */
export default function KeyPage() {
  const { keyId = '' } = useParams()
  const key = useQuery(keyQuery(keyId))
  return (
    <PageFrame
      title={key.data?.name ?? 'Tool key'}
      crumbs={[
        { label: 'Tools', to: '/tools' },
        { label: 'Keys', to: '/tool-keys' }
      ]}
      description={key.data?.description}
    >
      <Loaded query={key}>
        {(key) => (
          <Stack gap="lg" maw={820}>
            <Value toolKey={key} />
            <KeyMappings toolKey={key} />
            <Removal toolKey={key} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Value({ toolKey: { id, prefix, allowedHosts, rotatedAt, mappings } }: { toolKey: ToolKey }) {
  const params = { path: { keyId: id } }
  const [value, setValue] = useState('')
  const rotating = useAction({
    run: () => api.put('/v1/tool-keys/{keyId}/value', { params, body: { value } }),
    changes: [['tool-keys']],
    done: 'The value is replaced, from the next call on',
    onDone: () => setValue(''),
    isQuiet: true
  })
  const testing = useAction({
    run: () => api.post('/v1/tool-keys/{keyId}/test', { params, body: null, idempotencyKey: false }),
    onDone({ data: { ok, status, milliseconds } }) {
      notifications.show({
        message: `The service answered ${status} within ${milliseconds} ms`,
        color: ok ? 'green' : 'red'
      })
    },
    isQuiet: true
  })
  const error = rotating.error ?? testing.error
  return (
    <Panel
      title="Value"
      description={
        <>
          Begins with <Code>{prefix}</Code>, and goes to {allowedHosts.join(', ')} alone. Replaced:{' '}
          {rotatedAt ? <TimeAgo at={rotatedAt} /> : 'never'}.
        </>
      }
      actions={
        <Button
          variant="default"
          onClick={() => testing.mutate()}
          loading={testing.isPending}
          disabled={mappings.length === 0}
          title={mappings.length === 0 ? 'Map it to a tool first' : undefined}
        >
          Test
        </Button>
      }
    >
      <Form action={rotating} onSubmit={() => rotating.mutate()}>
        <Stack>
          <PasswordInput
            label="Another value"
            description="Sealed, and never shown again."
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            minLength={8}
            maxLength={8_192}
            required
            autoComplete="off"
          />
          {error ? <ErrorNotice error={error} /> : null}
          <Group>
            <Button type="submit" loading={rotating.isPending} disabled={value.length < 8}>
              Replace
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

function Removal({ toolKey: { id, name, mappings } }: { toolKey: ToolKey }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/tool-keys/{keyId}', { params: { path: { keyId: id } } }),
    changes: [['tool-keys', 'list']],
    done: 'The key is deleted',
    onDone: () => navigate('/tool-keys')
  })
  return (
    <Panel
      title="Delete the key"
      description="Tools that it is mapped to cannot be called until they have another."
    >
      <ConfirmButton
        title={`Delete ${name}?`}
        warning={
          mappings.length > 0
            ? `These cannot be called any more: ${mappings.map(({ toolName }) => toolName).join(', ')}.`
            : 'Its value is gone for good.'
        }
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete key
      </ConfirmButton>
    </Panel>
  )
}
