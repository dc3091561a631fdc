import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import {
  api,
  ConfirmButton,
  EmptyState,
  ErrorNotice,
  Form,
  ListTable,
  Panel,
  TimeAgo,
  useAction,
  useList,
  useSession
} from 'agent-platform/console'
import { Users } from 'lucide-react'
import { useState } from 'react'

const types = ['user', 'agent', 'service', 'project'] as const

/** Whom its owner let use or manage it. */
export function ToolPermissions({ toolId }: { toolId: string }) {
  const list = useList(['tools', 'permissions', toolId], (cursor, signal) =>
    api.get('/v1/tool-permissions/tool/{toolId}', {
      params: { path: { toolId }, query: { limit: 50, cursor } },
      signal
    })
  )
  const revoking = useAction({
    run: (permissionId: string) =>
      api.delete('/v1/tool-permissions/{permissionId}', { params: { path: { permissionId } } }),
    changes: [['tools']],
    done: 'The permission is revoked'
  })
  return (
    <Panel title="Access" description="Beside its owner, and the owner's agents, these may use or manage it.">
      <Stack gap="lg">
        <GrantForm toolId={toolId} />
        <ListTable
          label="Permissions"
          list={list}
          empty={<EmptyState icon={Users} title="Granted to nobody yet" />}
          columns={[
            {
              header: 'Who',
              cell: ({ subjectId }) => subjectId,
              note: ({ subjectType }) => subjectType,
              maxWidth: 280
            },
            { header: 'May', cell: ({ level }) => level },
            {
              header: 'Granted',
              cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
              note: ({ grantedBy }) => grantedBy
            },
            {
              header: 'Revoke',
              isAction: true,
              cell: ({ id, subjectId, level }) => (
                <ConfirmButton
                  size="compact-sm"
                  title="Revoke this permission?"
                  warning={`${subjectId} may not ${level} the tool from the next call on.`}
                  onClick={() => revoking.mutate(id)}
                >
                  Revoke
                </ConfirmButton>
              )
            }
          ]}
        />
      </Stack>
    </Panel>
  )
}

function GrantForm({ toolId }: { toolId: string }) {
  const { principal } = useSession()
  const [subjectType, setType] = useState<(typeof types)[number]>('user')
  const [name, setName] = useState('')
  const [level, setLevel] = useState<'use' | 'manage'>('use')
  const subjectId = subjectType === 'project' ? (principal?.project ?? '') : name.trim()
  const granting = useAction({
    run: () => api.post('/v1/tool-permissions/grant', { body: { toolId, subjectType, subjectId, level } }),
    changes: [['tools']],
    done: 'It is granted',
    onDone: () => setName(''),
    isQuiet: true
  })
  return (
    <Form action={granting} onSubmit={() => granting.mutate()}>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <Select
            label="To"
            data={[...types]}
            value={subjectType}
            onChange={(next) => setType(types.find((it) => it === next) ?? 'user')}
            allowDeselect={false}
            w={130}
          />
          {subjectType !== 'project' && (
            <TextInput
              label="Id"
              placeholder={subjectType === 'agent' ? 'agent_…' : 'ada@example.com'}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              maxLength={128}
              required
              flex={1}
              miw={180}
            />
          )}
          <Select
            label="May"
            data={['use', 'manage']}
            value={level}
            onChange={(next) => setLevel(next === 'manage' ? 'manage' : 'use')}
            allowDeselect={false}
            w={130}
          />
          <Button type="submit" variant="default" loading={granting.isPending}>
            Grant
          </Button>
        </Group>
        {granting.error ? <ErrorNotice error={granting.error} /> : null}
      </Stack>
    </Form>
  )
}
