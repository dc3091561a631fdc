import { Autocomplete, Badge, Button, Checkbox, Group, Select, Stack } from '@mantine/core'
import {
  ActionButton,
  api,
  ConfirmButton,
  EmptyState,
  ListTable,
  PageFrame,
  ShownOnce,
  TimeAgo,
  useAction,
  useConfirmation,
  useList
} from 'agent-platform/console'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { InvitationList } from './invitation-list.tsx'
import { NameForm } from './name-form.tsx'
import type { Shown } from './person-ways.tsx'
import { PersonWays } from './person-ways.tsx'

type Role = 'owner' | 'member'
const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' }
]

/** Everyone who signs in, and who is invited to, for operators. */
export default function PersonList() {
  const [isInviting, setIsInviting] = useState(false)
  const [isOperator, setIsOperator] = useState(false)
  const [projectId, setProjectId] = useState('')
  const [role, setRole] = useState<Role>('owner')
  const [url, setUrl] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const { guard, dialog } = useConfirmation()
  const own = useList(['projects', 'list'], (cursor, signal) =>
    api.get('/v1/projects', { params: { query: { limit: 50, cursor } }, signal })
  )
  const projects = own.data?.pages.flatMap(({ data }) => data) ?? []
  const list = useList(['people'], (cursor, signal) =>
    api.get('/v1/people', { params: { query: { limit: 50, cursor } }, signal })
  )
  const disabling = useAction({
    run: (personId: string) => api.post('/v1/people/{personId}/disable', { params: { path: { personId } } }),
    changes: [['people']],
    done: 'The person is out'
  })
  const enabling = useAction({
    run: (personId: string) => api.post('/v1/people/{personId}/enable', { params: { path: { personId } } }),
    changes: [['people']],
    done: 'The person may sign in again'
  })
  const invite = (
    <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setIsInviting(true)}>
      Invite
    </Button>
  )
  return (
    <PageFrame
      title="People"
      crumbs={[{ label: 'Projects', to: '/projects' }]}
      description="Those who may sign in to this platform."
      actions={invite}
    >
      <Stack gap="xl">
        <ListTable
          label="People"
          list={list}
          empty={
            <EmptyState icon={Users} title="Nobody yet" action={invite}>
              Invite the first person by e-mail address, and send the link that you get.
            </EmptyState>
          }
          columns={[
            { header: 'Name', cell: ({ name }) => name, note: ({ email }) => email, maxWidth: 300 },
            {
              header: 'State',
              cell: ({ isOperator: mayAll, disabledAt }) =>
                disabledAt ? (
                  <Badge color="red" variant="light" radius="sm" tt="none">
                    disabled
                  </Badge>
                ) : (
                  <Badge variant="default" radius="sm" tt="none">
                    {mayAll ? 'operator' : 'active'}
                  </Badge>
                )
            },
            { header: 'Since', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
            {
              header: 'Actions',
              isAction: true,
              cell: ({ id, name, email, disabledAt }) => (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <ActionButton
                    size="compact-sm"
                    variant="default"
                    aria-label={`Ways in of ${name}`}
                    onClick={() => setShown({ id, name, email })}
                  >
                    Ways in
                  </ActionButton>
                  {disabledAt ? (
                    <ActionButton
                      size="compact-sm"
                      variant="default"
                      aria-label={`Enable ${name}`}
                      onClick={() => enabling.mutate(id)}
                    >
                      Enable
                    </ActionButton>
                  ) : (
                    <ConfirmButton
                      size="compact-sm"
                      aria-label={`Disable ${name}`}
                      title={`Disable ${name}?`}
                      warning="All that the person has ends at once: sessions, tokens, keys, open streams, and work in the background. Keys stay revoked when the person is enabled again."
                      onClick={() => disabling.mutate(id)}
                    >
                      Disable
                    </ConfirmButton>
                  )}
                </Group>
              )
            }
          ]}
        />
        <InvitationList />
      </Stack>
      <PersonWays person={shown} onClose={() => setShown(undefined)} />
      <NameForm
        title="Invite a person"
        label="E-mail address"
        type="email"
        description="You get a link to send. The platform sends no mail."
        submit="Invite"
        isOpen={isInviting}
        onClose={() => setIsInviting(false)}
        changes={[['people']]}
        run={async (email) => {
          const project = projectId.trim()
          const body = { email, isOperator, ...(project && { projectId: project, role }) }
          const { data } = await guard(() =>
            api.post('/v1/people/invitations', { body, idempotencyKey: false })
          )
          setUrl(data.url)
        }}
      >
        <Autocomplete
          label="Project"
          description="Its id. Left empty: to the platform alone, with a project of its own."
          maxLength={64}
          data={projects.map(({ id }) => id)}
          renderOption={({ option }) => projects.find(({ id }) => id === option.value)?.name ?? option.value}
          value={projectId}
          onChange={setProjectId}
        />
        {projectId.trim() !== '' && (
          <Select
            label="Role in it"
            data={roles}
            value={role}
            allowDeselect={false}
            onChange={(value) => setRole(value as Role)}
          />
        )}
        <Checkbox
          label="An operator, who may do everything"
          checked={isOperator}
          onChange={({ currentTarget }) => setIsOperator(currentTarget.checked)}
        />
      </NameForm>
      {dialog}
      <ShownOnce
        title="Link of the invitation"
        what="Send it to the person. It is good once, and is shown this once."
        value={url}
        onDone={() => setUrl(undefined)}
      />
    </PageFrame>
  )
}
