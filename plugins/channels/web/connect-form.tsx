import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { ErrorNotice, Form, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { act } from './act.ts'
import type { Field } from './kinds.ts'

interface FormProps {
  readonly agentId: string
  readonly kind: string
  readonly fields: readonly Field[]
  connected(secret: string | undefined): void
}

/** What a service has to be told, or known by, so that people reach the agent through it. */
export function ConnectForm({ agentId, kind, fields, connected }: FormProps) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [access, setAccess] = useState<string | null>(null)
  const connecting = useAction({
    run: (body: Record<string, unknown>) => act(agentId, kind, 'connect', body),
    changes: [['channel', agentId, kind]],
    done: 'It is connected',
    onDone: ({ secret }) => connected(secret),
    isQuiet: true
  })
  return (
    <Form
      action={connecting}
      onSubmit={() => {
        const values = fields.flatMap(({ name, isNumber }) => {
          const value = given[name] ?? ''
          return value === '' ? [] : [[name, isNumber ? Number(value) : value]]
        })
        connecting.mutate({ ...Object.fromEntries(values), ...(access && { access }) })
      }}
    >
      <Stack maw={560} gap="sm">
        {fields.map(({ name, label, isSecret, isOptional }) => {
          const Input = isSecret ? PasswordInput : TextInput
          return (
            <Input
              key={name}
              label={label}
              value={given[name] ?? ''}
              onChange={({ currentTarget }) => setGiven({ ...given, [name]: currentTarget.value })}
              required={!isOptional}
              autoComplete="off"
            />
          )
        })}
        <Select
          label="Who may talk to the agent"
          placeholder="The default of the channel"
          data={[
            { value: 'paired', label: 'Conversations that were paired' },
            { value: 'open', label: 'Everyone who can write to it' }
          ]}
          value={access}
          onChange={setAccess}
          clearable
        />
        <Text size="sm" c="dimmed">
          Secrets are encrypted, and never shown again.
        </Text>
        {connecting.error ? <ErrorNotice error={connecting.error} /> : null}
        <Group>
          <Button type="submit" loading={connecting.isPending}>
            Connect
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
