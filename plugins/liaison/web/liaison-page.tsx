import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  AgentLink,
  api,
  ConfirmButton,
  EmptyState,
  ErrorNotice,
  Form,
  ListTable,
  Loaded,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAction,
  useDraft,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { LiaisonDraft } from './liaison-fields.tsx'
import { bodyOf, LiaisonFields, localTime } from './liaison-fields.tsx'
import { ShownToken } from './shown-token.tsx'

type Liaison = Schemas['Liaison']
type Outsider = Schemas['Outsider']
const crumbs = [{ label: 'Liaisons', to: '/liaisons' }]

export default function LiaisonPage() {
  const { liaisonId = '' } = useParams()
  const path = { liaisonId }
  const liaison = useQuery({
    queryKey: ['liaisons', liaisonId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/liaison/{liaisonId}', { params: { path }, signal })).data
  })
  if (liaison.error)
    return (
      <PageFrame title="Liaison" crumbs={crumbs}>
        <ErrorNotice error={liaison.error} retry={() => liaison.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={liaison.data?.name ?? 'Liaison'}
      description={liaison.data && `Stands for ${liaison.data.standsFor.name}`}
      crumbs={crumbs}
      badge={liaison.data && <StatusBadge status={liaison.data.status} />}
      actions={liaison.data && <Actions liaison={liaison.data} />}
    >
      <Loaded query={liaison}>
        {(liaison) => (
          <Stack gap="xl">
            <Group gap="sm">
              <Text size="sm" c="dimmed">
                It answers as an agent of its own, which you may give more:
              </Text>
              <AgentLink agentId={liaison.agentId} />
            </Group>
            <Outsiders liaisonId={liaisonId} />
            <Edit key={liaison.id} liaison={liaison} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ liaison: { id: liaisonId } }: { liaison: Liaison }) {
  const [, navigate] = useLocation()
  const [token, setToken] = useState<string>()
  const params = { path: { liaisonId } }
  const rotating = useAction({
    run: () => api.post('/v1/liaison/{liaisonId}/token', { params, idempotencyKey: false }),
    onDone: ({ data }) => setToken(data.token)
  })
  const removing = useAction({
    run: () => api.delete('/v1/liaison/{liaisonId}', { params }),
    changes: [['liaisons']],
    done: 'The liaison is deleted',
    onDone: () => navigate('/liaisons')
  })
  return (
    <Group gap="sm">
      <ConfirmButton
        title="Make another public token?"
        warning="The one before is good for nothing from then on. Outsiders who have spoken to the liaison go on."
        onClick={() => rotating.mutate()}
        loading={rotating.isPending}
      >
        New token
      </ConfirmButton>
      <ConfirmButton
        title="Delete this liaison?"
        warning="It answers nobody any more. Its agent and its conversations stay. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete
      </ConfirmButton>
      <ShownToken value={token} onDone={() => setToken(undefined)} />
    </Group>
  )
}

function Outsiders({ liaisonId }: { liaisonId: string }) {
  const list = useList(
    ['liaisons', liaisonId, 'outsiders'],
    (cursor, signal) =>
      api.get('/v1/liaison/{liaisonId}/outsiders', {
        params: { path: { liaisonId }, query: { limit: 50, cursor } },
        signal
      }),
    { refresh: 15_000 }
  )
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        Whom it has spoken with
      </Title>
      <ListTable
        label="Outsiders"
        list={list}
        empty={
          <EmptyState icon={Users} title="Nobody yet">
            Each outsider who speaks to it stands here, with the conversation.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            cell: ({ name, sessionId }) => <Conversation name={name} sessionId={sessionId} />,
            maxWidth: 280
          },
          { header: 'Messages', cell: ({ messages }) => messages, isNumber: true },
          { header: 'Last spoke', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
          { header: 'Block', isAction: true, cell: (outsider) => <Block outsider={outsider} /> }
        ]}
      />
    </Stack>
  )
}

const Conversation = ({ name, sessionId }: Pick<Outsider, 'name' | 'sessionId'>) => {
  const title = name ?? 'Gave no name'
  return sessionId === null ? (
    title
  ) : (
    <Anchor component={Link} href={`/sessions/${sessionId}`}>
      {title}
    </Anchor>
  )
}

function Block({ outsider: { id: outsiderId, liaisonId, name, blockedAt } }: { outsider: Outsider }) {
  const blocked = blockedAt !== null
  const changing = useAction({
    run: () =>
      api.put('/v1/liaison/{liaisonId}/outsiders/{outsiderId}', {
        params: { path: { liaisonId, outsiderId } },
        body: { blocked: !blocked }
      }),
    changes: [['liaisons', liaisonId, 'outsiders']]
  })
  const what = blocked ? 'Let speak' : 'Block'
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${what} ${name ?? 'the outsider without a name'}`}
      onClick={() => changing.mutate()}
      loading={changing.isPending}
    >
      {what}
    </Button>
  )
}

const fieldsOf = ({ name, purpose, mayTell, dailyMessages, expiresAt }: Liaison): LiaisonDraft => ({
  name,
  purpose,
  mayTell: mayTell ?? '',
  dailyMessages,
  expiresAt: localTime(expiresAt)
})

function Edit({ liaison }: { liaison: Liaison }) {
  const { id: liaisonId, expiresAt } = liaison
  const draft = useDraft(`liaison ${liaisonId}`, liaison, fieldsOf)
  const saving = useAction({
    run() {
      const { expiresAt: until, ...body } = bodyOf(draft.value)
      // A field has no seconds: what was not touched stays as it was.
      const isSame = draft.value.expiresAt === localTime(expiresAt)
      return api.put('/v1/liaison/{liaisonId}', {
        params: { path: { liaisonId } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: { ...body, ...(!isSame && { expiresAt: until }) }
      })
    },
    changes: [['liaisons']],
    draft,
    done: 'Saved',
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack maw={720}>
        <Title order={2} size="h5">
          What it is told
        </Title>
        <LiaisonFields draft={draft.value} onChange={draft.change} />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
