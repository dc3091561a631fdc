import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import type { Guard } from 'agent-platform/console'
import { api, ErrorNotice, Form, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'

/** Another password than before, or the first. */
export function Password({ guard, email }: { guard: Guard; email: string }) {
  const [password, setPassword] = useState('')
  const changing = useAction({
    run: () => guard(() => api.put('/v1/people/me/password', { body: { password } })),
    changes: [['person-sessions']],
    done: 'The password is changed. You are signed out everywhere else.',
    onDone: () => setPassword(''),
    isQuiet: true
  })
  return (
    <Panel title="Password">
      <Form action={changing} onSubmit={() => changing.mutate()}>
        <Stack maw={420}>
          <Text size="sm" c="dimmed">
            A new one signs you out of all other browsers and programs.
          </Text>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="New password"
            description="At least 10 characters."
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={200}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
          />
          {changing.error ? <ErrorNotice error={changing.error} /> : null}
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={changing.isPending}
              disabled={password.length < 10}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}
