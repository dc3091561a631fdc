import { Button, Code, Radio, Stack } from '@mantine/core'
import {
  api,
  ConfirmButton,
  ListTable,
  Panel,
  ShownOnce,
  StatusBadge,
  TimeAgo,
  useAction,
  useConfirmation,
  useList
} from 'agent-platform/console'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { NameForm } from './name-form.tsx'

/** By which keys programs call the platform in a project. */
export function ProjectKeys({ projectId, isOwner }: { projectId: string; isOwner: boolean }) {
  const [isMaking, setIsMaking] = useState(false)
  const [type, setType] = useState('user')
  const [made, setMade] = useState<string>()
  const { guard, dialog } = useConfirmation()
  const path = { projectId }
  const key = ['projects', projectId, 'keys']
  const list = useList(key, (cursor, signal) =>
    api.get('/v1/projects/{projectId}/keys', { params: { path, query: { limit: 50, cursor } }, signal })
  )
  const revoking = useAction({
    run: (keyId: string) =>
      api.delete('/v1/projects/{projectId}/keys/{keyId}', { params: { path: { projectId, keyId } } }),
    changes: [key],
    done: 'The key is revoked'
  })
  return (
    <Panel
      title="Keys"
      description="Programs call the platform with a key: as a member, or as a service that reaches the whole project."
      actions={
        <Button
          variant="default"
          leftSection={<KeyRound size={16} aria-hidden />}
          onClick={() => setIsMaking(true)}
        >
          New key
        </Button>
      }
    >
      <ListTable
        label="Keys"
        list={list}
        empty="No keys yet"
        columns={[
          {
            header: 'Name',
            cell: ({ name }) => name,
            note: ({ prefix }) => <Code>{prefix}…</Code>,
            maxWidth: 280
          },
          { header: 'Acts as', cell: ({ type: as }) => (as === 'service' ? 'A service' : 'Its maker') },
          { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'Never')
          },
          {
            header: 'Revoke',
            isAction: true,
            cell: ({ id, name, revokedAt }) =>
              revokedAt ? (
                <StatusBadge status="revoked" />
              ) : (
                <ConfirmButton
                  size="compact-sm"
                  aria-label={`Revoke ${name}`}
                  title="Revoke this key?"
                  warning={`Programs that use ${name} are refused from now on, and so is what was made with it.`}
                  onClick={() => revoking.mutate(id)}
                >
                  Revoke
                </ConfirmButton>
              )
          }
        ]}
      />
      <NameForm
        title="New key"
        label="Name"
        description="What it is for, so that you know which to revoke."
        submit="Create key"
        isOpen={isMaking}
        onClose={() => setIsMaking(false)}
        changes={[key]}
        run={async (name) => {
          const { data } = await guard(() =>
            api.post('/v1/projects/{projectId}/keys', {
              params: { path },
              body: { name, type: type as 'user' },
              idempotencyKey: false
            })
          )
          setMade(data.key)
        }}
      >
        {isOwner && (
          <Radio.Group label="It acts as" value={type} onChange={setType}>
            <Stack gap="xs" mt="xs">
              <Radio value="user" label="You" description="It reaches what you reach." />
              <Radio value="service" label="A service" description="It reaches the whole project." />
            </Stack>
          </Radio.Group>
        )}
      </NameForm>
      {dialog}
      <ShownOnce
        title="Your new key"
        what="It is shown this once. If it is lost, revoke it and make another."
        value={made}
        onDone={() => setMade(undefined)}
      />
    </Panel>
  )
}
