import type { Guard } from 'agent-platform/console'
import { api, ConfirmButton, ListTable, Panel, TimeAgo, useAction, useList } from 'agent-platform/console'

/** Accounts at providers elsewhere by which the person signs in. */
export function LinkedAccounts({ guard }: { guard: Guard }) {
  const list = useList(['linked-accounts'], (cursor, signal) =>
    api.get('/v1/people/me/accounts', { params: { query: { limit: 50, cursor } }, signal })
  )
  const unlinking = useAction({
    run: (accountId: string) =>
      guard(() => api.delete('/v1/people/me/accounts/{accountId}', { params: { path: { accountId } } })),
    changes: [['linked-accounts']],
    done: 'The account is unlinked'
  })
  return (
    <Panel title="Accounts elsewhere">
      <ListTable
        label="Accounts elsewhere"
        list={list}
        empty="You sign in by none. Where the sign-in page offers one, it is linked when you use it."
        columns={[
          {
            header: 'Provider',
            cell: ({ issuer }) => hostOf(issuer),
            note: ({ subject }) => subject,
            maxWidth: 300
          },
          { header: 'Linked', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, issuer }) => (
              <ConfirmButton
                size="compact-sm"
                aria-label={`Unlink ${hostOf(issuer)}`}
                title={`Unlink ${hostOf(issuer)}?`}
                warning="Nobody signs in to this account by it any more."
                onClick={() => unlinking.mutate(id)}
              >
                Unlink
              </ConfirmButton>
            )
          }
        ]}
      />
    </Panel>
  )
}

export const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer
