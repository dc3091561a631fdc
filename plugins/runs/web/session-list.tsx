import { NavLink, Text } from '@mantine/core'
import { api, ListView, TimeAgo, useList } from 'agent-platform/console'

/** The conversations with an agent, the newest first. */
export function SessionList(props: {
  agentId: string
  open: string | undefined
  onChoose: (sessionId: string) => void
}) {
  const { agentId, open, onChoose } = props
  const list = useList(['sessions', 'agent', agentId], (cursor, signal) =>
    api.get('/v1/sessions/agent/{agentId}', {
      params: { path: { agentId }, query: { limit: 30, cursor } },
      signal
    })
  )
  const empty = (
    <Text size="sm" c="dimmed" px="sm" py="xs">
      No conversations yet.
    </Text>
  )
  return (
    <ListView list={list} empty={empty}>
      {(sessions) => (
        <div>
          {sessions.map(({ id, title, initiator, createdAt, forkedFrom }) => (
            <NavLink
              key={id}
              component="button"
              type="button"
              label={title ?? 'Untitled'}
              description={
                <>
                  <TimeAgo at={createdAt} /> · {forkedFrom ? `${initiator} · fork` : initiator}
                </>
              }
              active={id === open}
              aria-current={id === open ? 'true' : undefined}
              onClick={() => onChoose(id)}
              noWrap
              styles={{
                root: { borderRadius: 'var(--mantine-radius-md)' },
                label: { color: 'var(--mantine-color-text)' },
                description: { color: 'var(--mantine-color-text)' }
              }}
            />
          ))}
        </div>
      )}
    </ListView>
  )
}
