import { Button, Select, Stack, Title } from '@mantine/core'
import {
  api,
  ConfirmButton,
  ListTable,
  Panel,
  ShownOnce,
  TimeAgo,
  useAction,
  useList,
  useSession
} from 'agent-platform/console'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { NameForm } from './name-form.tsx'

type Role = 'owner' | 'member'
const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' }
]
interface Props {
  readonly projectId: string
  readonly isOwner: boolean
}

/** Who belongs to a project, and who is invited to it. */
export function ProjectMembers({ projectId, isOwner }: Props) {
  const { principal } = useSession()
  const [isInviting, setIsInviting] = useState(false)
  const [role, setRole] = useState<Role>('member')
  const [url, setUrl] = useState<string>()
  const path = { projectId }
  const key = ['projects', projectId]
  const members = useList([...key, 'members'], (cursor, signal) =>
    api.get('/v1/projects/{projectId}/members', { params: { path, query: { limit: 50, cursor } }, signal })
  )
  const invitations = useList([...key, 'invitations'], (cursor, signal) =>
    api.get('/v1/projects/{projectId}/invitations', {
      params: { path, query: { limit: 50, cursor } },
      signal
    })
  )
  const changing = useAction({
    run: ({ memberId, to }: { memberId: string; to: Role }) =>
      api.put('/v1/projects/{projectId}/members/{memberId}', {
        params: { path: { projectId, memberId } },
        body: { role: to }
      }),
    changes: [key, ['projects', 'list']]
  })
  const removing = useAction({
    run: (memberId: string) =>
      api.delete('/v1/projects/{projectId}/members/{memberId}', {
        params: { path: { projectId, memberId } }
      }),
    changes: [['projects']],
    done: 'The member is removed'
  })
  const withdrawing = useAction({
    run: (invitationId: string) =>
      api.delete('/v1/projects/{projectId}/invitations/{invitationId}', {
        params: { path: { projectId, invitationId } }
      }),
    changes: [key],
    done: 'The invitation is withdrawn'
  })
  const hasInvitations = invitations.data?.pages.some(({ data }) => data.length > 0)
  return (
    <Panel
      title="Members"
      actions={
        isOwner && (
          <Button
            variant="default"
            leftSection={<UserPlus size={16} aria-hidden />}
            onClick={() => setIsInviting(true)}
          >
            Invite
          </Button>
        )
      }
    >
      <ListTable
        label="Members"
        list={members}
        columns={[
          { header: 'Name', cell: ({ name }) => name, note: ({ email }) => email, maxWidth: 300 },
          {
            header: 'Role',
            cell: ({ id, name, role: has }) =>
              isOwner ? (
                <Select
                  size="xs"
                  w={120}
                  aria-label={`Role of ${name}`}
                  data={roles}
                  value={has}
                  allowDeselect={false}
                  onChange={(to) => to !== has && changing.mutate({ memberId: id, to: to as Role })}
                />
              ) : (
                has
              )
          },
          { header: 'Since', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, name, personId }) => {
              const isSelf = personId === principal?.id
              if (!isOwner && !isSelf) return null
              return (
                <ConfirmButton
                  size="compact-sm"
                  aria-label={isSelf ? 'Leave the project' : `Remove ${name}`}
                  title={isSelf ? 'Leave the project?' : `Remove ${name}?`}
                  warning="Keys, tokens and open streams in this project end at once, and work in the background."
                  onClick={() => removing.mutate(id)}
                >
                  {isSelf ? 'Leave' : 'Remove'}
                </ConfirmButton>
              )
            }
          }
        ]}
        empty="No members"
      />
      {hasInvitations && (
        <Stack gap="xs" mt="lg">
          <Title order={3} size="h6">
            Invited
          </Title>
          <ListTable
            label="Invitations"
            list={invitations}
            empty="None"
            columns={[
              { header: 'E-mail address', cell: ({ email }) => email, maxWidth: 300 },
              { header: 'Role', cell: ({ role: as }) => as },
              { header: 'Until', cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
              {
                header: 'Actions',
                isAction: true,
                cell: ({ id, email }) =>
                  isOwner && (
                    <ConfirmButton
                      size="compact-sm"
                      aria-label={`Withdraw the invitation of ${email}`}
                      title="Withdraw the invitation?"
                      warning={`The link that was sent to ${email} stops working.`}
                      onClick={() => withdrawing.mutate(id)}
                    >
                      Withdraw
                    </ConfirmButton>
                  )
              }
            ]}
          />
        </Stack>
      )}
      <NameForm
        title="Invite to the project"
        label="E-mail address"
        type="email"
        description="You get a link to send. The platform sends no mail."
        submit="Invite"
        isOpen={isInviting}
        onClose={() => setIsInviting(false)}
        changes={[key]}
        run={async (email) => {
          const { data } = await api.post('/v1/projects/{projectId}/invitations', {
            params: { path },
            body: { email, role },
            idempotencyKey: false
          })
          setUrl(data.url)
        }}
      >
        <Select
          label="Role"
          data={roles}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value as Role)}
        />
      </NameForm>
      <ShownOnce
        title="Link of the invitation"
        what="Send it to the person. It is good once, and is shown this once."
        value={url}
        onDone={() => setUrl(undefined)}
      />
    </Panel>
  )
}
