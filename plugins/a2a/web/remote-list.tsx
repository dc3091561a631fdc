import { Anchor, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  api,
  CancelButton,
  ConfirmButton,
  Details,
  Dialog,
  EmptyState,
  ErrorNotice,
  Form,
  ListView,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import { Plus, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { RemoteAgent } from './queries.ts'

/** Agents elsewhere, each of which is a tool here. */
export default function RemoteList() {
  const [search, setSearch] = useSearchParams()
  const list = useList(['a2a', 'remotes'], (cursor, signal) =>
    api.get('/v1/a2a/remotes', { params: { query: { limit: 50, cursor } }, signal })
  )
  const close = () => setSearch({}, { replace: true })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
      Add agent
    </Button>
  )
  return (
    <PageFrame
      title="Remote agents"
      description="Agents elsewhere, by the Agent2Agent protocol. Each is a tool that you give to your agents."
      actions={create}
    >
      <ListView
        list={list}
        empty={
          <EmptyState icon={Waypoints} title="No remote agents yet" action={create}>
            Add one by the address of its card.
          </EmptyState>
        }
      >
        {(remotes) => (
          <Stack>
            {remotes.map((remote) => (
              <RemoteCard key={remote.id} remote={remote} />
            ))}
          </Stack>
        )}
      </ListView>
      <Dialog opened={search.has('new')} onClose={close} title="Add a remote agent" size="lg">
        <NewRemote onClose={close} />
      </Dialog>
    </PageFrame>
  )
}

function RemoteCard({ remote }: { remote: RemoteAgent }) {
  const { id, name, description, url, protocolVersion, signature, skills, toolName, toolId, checkedAt } =
    remote
  const path = { remoteId: id }
  const refreshing = useAction({
    run: () => api.post('/v1/a2a/remotes/{remoteId}/refresh', { params: { path } }),
    changes: [['a2a', 'remotes']],
    done: 'The card was read'
  })
  const removing = useAction({
    run: () => api.delete('/v1/a2a/remotes/{remoteId}', { params: { path } }),
    changes: [['a2a', 'remotes'], ['tools']],
    done: 'The agent is removed'
  })
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Group gap="sm" miw={0} flex={1}>
            <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <StatusBadge status={signature === 'verified' ? 'verified' : 'unsigned'} />
          </Group>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => refreshing.mutate()}
              loading={refreshing.isPending}
            >
              Read card
            </Button>
            <ConfirmButton
              size="compact-sm"
              title={`Remove ${name}?`}
              warning="Its tool goes with it, and agents that have it can no longer call it."
              onClick={() => removing.mutate()}
              loading={removing.isPending}
            >
              Remove
            </ConfirmButton>
          </Group>
        </Group>
        {description && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        <Details
          of={{
            Tool: (
              <Anchor component={Link} href={`/tools/${toolId}`} size="sm">
                {toolName}
              </Anchor>
            ),
            Credentials: (
              <Anchor component={Link} href={`/tools/${toolId}/credentials`} size="sm">
                A key or a connection
              </Anchor>
            ),
            Address: url,
            Version: protocolVersion,
            Skills: skills.map((skill) => skill.name).join(', ') || undefined,
            'Card read': checkedAt ? <TimeAgo at={checkedAt} /> : undefined
          }}
        />
      </Stack>
    </Card>
  )
}

function NewRemote({ onClose }: { onClose: () => void }) {
  const [cardUrl, setCardUrl] = useState('')
  const [name, setName] = useState('')
  const creating = useAction({
    run: () => api.post('/v1/a2a/remotes', { body: { cardUrl, ...(name.trim() && { name: name.trim() }) } }),
    changes: [['a2a', 'remotes'], ['tools']],
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <TextInput
          label="Address of its card"
          type="url"
          placeholder="https://agents.example/.well-known/agent-card.json"
          value={cardUrl}
          onChange={({ currentTarget }) => setCardUrl(currentTarget.value)}
          maxLength={2_000}
          required
          data-autofocus
        />
        <TextInput
          label="Name"
          description="Left empty: as its card has it."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={200}
          autoComplete="off"
        />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending}>
            Add agent
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
