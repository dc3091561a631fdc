import { Badge, Button, Checkbox } from '@mantine/core'
import {
  ActionButton,
  api,
  ConfirmButton,
  EmptyState,
  ListTable,
  PageFrame,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { NameForm } from './name-form.tsx'
import { ShownOnce } from './shown-once.tsx'

/** Everyone who signs in, for operators. */
export default function PersonList() {
  const [isInviting, setIsInviting] = useState(false)
  const [isOperator, setIsOperator] = useState(false)
  const [url, setUrl] = useState<string>()
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
      description="Who signs in to this platform."
      actions={invite}
    >
      <ListTable
        label="People"
        list={list}
        empty={<EmptyState icon={Users} title="Nobody yet" action={invite} />}
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
            cell: ({ id, name, disabledAt }) =>
              disabledAt ? (
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
              )
          }
        ]}
      />
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
          const body = { email, isOperator }
          const { data } = await api.post('/v1/people/invitations', { body, idempotencyKey: false })
          setUrl(data.url)
        }}
      >
        <Checkbox
          label="An operator, who may do everything"
          checked={isOperator}
          onChange={({ currentTarget }) => setIsOperator(currentTarget.checked)}
        />
      </NameForm>
      <ShownOnce
        title="Link of the invitation"
        what="Send it to the person. It is good once, and is shown this once."
        value={url}
        onDone={() => setUrl(undefined)}
      />
    </PageFrame>
  )
}
