import { Button, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  Contributed,
  Loaded,
  PageFrame,
  useAction,
  useContributions
} from 'agent-platform/console'
import { MessageCircle, Pencil } from 'lucide-react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { sessionQuery } from './queries.ts'
import { RenameSession } from './rename-session.tsx'
import { SessionFacts } from './session-facts.tsx'
import { SessionMessages } from './session-messages.tsx'

/** A session: what was said, by which runs, its name and its end. */
export default function SessionPage() {
  const { sessionId = '' } = useParams()
  const [, navigate] = useLocation()
  const [search, setSearch] = useSearchParams()
  const session = useQuery(sessionQuery(sessionId))
  const tabs = useContributions('sessionTabs')
  const removing = useAction({
    run: () => api.delete('/v1/sessions/{id}', { params: { path: { id: sessionId } } }),
    changes: [['sessions', 'list']],
    done: 'The session is deleted',
    onDone: () => navigate('/sessions')
  })
  const compacting = useAction({
    run: () => api.post('/v1/sessions/{id}/compact', { params: { path: { id: sessionId } }, body: {} }),
    changes: [['sessions']],
    done: 'Session compacted'
  })
  const set = (name: string, value: string | undefined) =>
    setSearch(
      (before) => {
        if (value === undefined) before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true }
    )
  const actions = session.data && (
    <>
      <Button
        component={Link}
        href={`/agents/${session.data.agentId}/chat?session=${sessionId}`}
        leftSection={<MessageCircle size={16} aria-hidden />}
      >
        Continue
      </Button>
      <Button
        variant="default"
        leftSection={<Pencil size={15} aria-hidden />}
        onClick={() => set('rename', '')}
      >
        Rename
      </Button>
      <ConfirmButton
        title="Compact this session?"
        warning="The model of the agent writes a summary, which replaces all but the newest messages in later prompts. The messages stay readable here. The call of the model is charged."
        variant="default"
        color="gray"
        onClick={() => compacting.mutate()}
        loading={compacting.isPending}
      >
        Compact
      </ConfirmButton>
      <ConfirmButton
        title="Delete this session?"
        warning="What was said in it and its runs are deleted with it, and runs that are under way are cancelled. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete
      </ConfirmButton>
    </>
  )
  return (
    <PageFrame
      title={session.data ? (session.data.title ?? 'Untitled session') : 'Session'}
      crumbs={[{ label: 'Sessions', to: '/sessions' }]}
      actions={actions}
    >
      <Loaded query={session}>
        {(session) => (
          <Stack gap="xl">
            <SessionFacts session={session} />
            <Tabs
              value={search.get('show') ?? 'messages'}
              onChange={(show) => set('show', show === 'messages' ? undefined : (show ?? undefined))}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                <Tabs.Tab value="messages">Messages</Tabs.Tab>
                {tabs.map(({ key, title }) => (
                  <Tabs.Tab key={key} value={key}>
                    {title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="messages">
                <SessionMessages sessionId={sessionId} />
              </Tabs.Panel>
              {tabs.map(({ key, load }) => (
                <Tabs.Panel key={key} value={key}>
                  <Contributed load={load} sessionId={sessionId} />
                </Tabs.Panel>
              ))}
            </Tabs>
            <RenameSession
              session={session}
              isOpen={search.has('rename')}
              onClose={() => set('rename', undefined)}
            />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}
