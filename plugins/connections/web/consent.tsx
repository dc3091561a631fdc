import { Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { api, CancelButton, ErrorNotice, Form, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { Connection, Provider } from './queries.ts'

interface Props {
  provider: Provider
  /** One that is there, to be connected anew or for more. */
  connection?: Connection
  onClose: () => void
}

/** What agents will be able to do, in plain words, before the provider asks the same in its own. */
export function Consent({ provider, connection, onClose }: Props) {
  const { key, name, hosts } = provider
  const held = new Set(connection?.scopes)
  const [label, setLabel] = useState(connection?.name ?? name)
  const [scopes, setScopes] = useState(
    provider.scopes.filter((it) => it.isDefault || held.has(it.name)).map((it) => it.name)
  )
  const asking = useAction({
    run: () =>
      api.post('/v1/oauth/connect', {
        body: {
          providerKey: key,
          scopes,
          returnUrl: `${new URL(document.baseURI).pathname}connections`,
          ...(connection ? { connectionId: connection.id } : { name: label })
        },
        idempotencyKey: false
      }),
    onDone: ({ data }) => leave(data.authorizationUrl),
    isQuiet: true
  })
  return (
    <Form action={asking} onSubmit={() => asking.mutate()}>
      <Stack>
        <Text size="sm">
          Your agents will act at {name} as you, without asking you each time, until you take that back here
          or at {name}.
        </Text>
        {!connection && (
          <TextInput
            label="Name"
            description="To tell it from other connections."
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            maxLength={200}
            required
            autoComplete="off"
          />
        )}
        {provider.scopes.length > 0 ? (
          <Checkbox.Group label="They may" value={scopes} onChange={setScopes}>
            <Stack gap="xs" mt="xs">
              {provider.scopes.map((scope) => (
                <Checkbox
                  key={scope.name}
                  value={scope.name}
                  label={scope.description ?? scope.name}
                  description={scope.description ? scope.name : undefined}
                  // What was granted is taken back as a whole only.
                  disabled={held.has(scope.name)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        ) : (
          <Text size="sm">{name} asks you itself what they may see and change.</Text>
        )}
        <Alert variant="light" color="gray" title="What happens to the access">
          <List size="sm" spacing={4}>
            <List.Item>It is kept sealed. Neither you, nor agents, models and apps see it.</List.Item>
            <List.Item style={{ overflowWrap: 'anywhere' }}>
              It is sent to {hosts.join(', ')}, and nowhere else.
            </List.Item>
            <List.Item>Tools that you map it to use it, and nothing else does.</List.Item>
          </List>
        </Alert>
        {asking.error ? <ErrorNotice error={asking.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={asking.isPending || asking.isSuccess}>
            Continue at {name}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

/** Only to an address of the web. */
function leave(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) window.location.assign(url)
}
