import { Badge, Group } from '@mantine/core'
import { api, ConfirmButton, ListTable, Panel, TimeAgo, useAction, useList } from 'agent-platform/console'

/** Where the person is signed in. */
export function PersonSessions() {
  const list = useList(['person-sessions'], (cursor, signal) =>
    api.get('/v1/people/me/sessions', { params: { query: { limit: 50, cursor } }, signal })
  )
  const ending = useAction({
    run: (sessionId: string) =>
      api.delete('/v1/people/me/sessions/{sessionId}', { params: { path: { sessionId } } }),
    changes: [['person-sessions']],
    done: 'You are signed out there'
  })
  const endingOthers = useAction({
    run: () => api.post('/v1/people/me/sessions/end-others', { idempotencyKey: false }),
    changes: [['person-sessions']],
    done: 'You are signed out everywhere else'
  })
  const isAlone = (list.data?.pages.flatMap(({ data }) => data).length ?? 0) < 2
  return (
    <Panel
      title="Where you are signed in"
      actions={
        !isAlone && (
          <ConfirmButton
            title="Sign out everywhere else?"
            warning="All other browsers and programs are out. A program that has just asked may go on for some minutes."
            onClick={() => endingOthers.mutate()}
            loading={endingOthers.isPending}
          >
            Sign out everywhere else
          </ConfirmButton>
        )
      }
    >
      <ListTable
        label="Where you are signed in"
        list={list}
        empty="Nowhere"
        columns={[
          {
            header: 'Browser or program',
            cell: ({ name, kind, isCurrent }) => (
              <Group gap="xs" wrap="nowrap">
                {name ?? (kind === 'browser' ? 'A browser' : 'A program')}
                {isCurrent && (
                  <Badge flex="none" variant="default" radius="sm" tt="none">
                    this one
                  </Badge>
                )}
              </Group>
            ),
            maxWidth: 300
          },
          { header: 'Since', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Last renewed',
            cell: ({ renewedAt }) => (renewedAt ? <TimeAgo at={renewedAt} /> : '—')
          },
          {
            header: 'Actions',
            isAction: true,
            cell: ({ id, name, kind, isCurrent }) =>
              !isCurrent && (
                <ConfirmButton
                  size="compact-sm"
                  aria-label={`Sign out of ${name ?? kind}`}
                  title={`Sign out of ${name ?? `that ${kind}`}?`}
                  warning={
                    kind === 'browser'
                      ? 'That browser is out at once.'
                      : 'The program gets no new tokens. It may go on for some minutes.'
                  }
                  onClick={() => ending.mutate(id)}
                >
                  Sign out
                </ConfirmButton>
              )
          }
        ]}
      />
    </Panel>
  )
}
