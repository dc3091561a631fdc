import { api, ConfirmButton, ListTable, Panel, TimeAgo, useAction, useList } from 'agent-platform/console'

/** Who was invited to the platform, or by an operator to a project, and has not come yet. */
export function InvitationList() {
  const list = useList(['people', 'invitations'], (cursor, signal) =>
    api.get('/v1/people/invitations', { params: { query: { limit: 50, cursor } }, signal })
  )
  const withdrawing = useAction({
    run: (invitationId: string) =>
      api.delete('/v1/people/invitations/{invitationId}', { params: { path: { invitationId } } }),
    changes: [['people', 'invitations']],
    done: 'The invitation is withdrawn'
  })
  return (
    <Panel title="Invited">
      <ListTable
        label="Invitations"
        list={list}
        empty="Nobody waits for anything. The link of an invitation is shown once, when it is made."
        columns={[
          { header: 'E-mail address', cell: ({ email }) => email, maxWidth: 300 },
          {
            header: 'As',
            cell: ({ isOperator, role }) => (isOperator ? 'operator' : (role ?? 'person')),
            note: ({ projectId }) => projectId ?? undefined
          },
          { header: 'Until', cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, email }) => (
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
    </Panel>
  )
}
