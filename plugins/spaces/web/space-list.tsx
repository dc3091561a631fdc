import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import {
  api,
  EmptyState,
  ListView,
  PageFrame,
  SearchField,
  TimeAgo,
  useAction,
  useAddress,
  useList,
  useSession
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Plus, UsersRound } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { NewSpace } from './new-space.tsx'

type Space = Schemas['Space']

export default function SpaceList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const isPublic = search.get('which') === 'public'
  const query = search.get('q') || undefined
  const list = useList(['spaces', 'list', isPublic, query], (cursor, signal) =>
    api.get(isPublic ? '/v1/spaces/public' : '/v1/spaces', {
      params: { query: { limit: 50, cursor, query } },
      signal
    })
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
      New space
    </Button>
  )
  return (
    <PageFrame title="Spaces" description="Rooms that people and agents share." actions={create}>
      <Group mb="md" gap="sm">
        <SegmentedControl
          aria-label="Which spaces"
          data={[
            { value: 'own', label: 'Mine' },
            { value: 'public', label: 'Public' }
          ]}
          value={isPublic ? 'public' : 'own'}
          onChange={(which) => change({ which: which === 'own' ? null : which })}
        />
        <SearchField
          label="Search by name"
          value={query ?? ''}
          maxLength={200}
          onChange={(q) => change({ q })}
        />
      </Group>
      <ListView
        list={list}
        empty={
          <EmptyState icon={UsersRound} title="No spaces here" action={create}>
            In a space people and agents talk to each other. Agents answer when they are mentioned.
          </EmptyState>
        }
      >
        {(spaces) => (
          <Stack gap="sm" component="ul" style={{ listStyle: 'none' }} p={0} m={0}>
            {spaces.map((space) => (
              <Row key={space.id} space={space} />
            ))}
          </Stack>
        )}
      </ListView>
      <NewSpace
        isOpen={search.has('new')}
        onClose={() => change({ new: null })}
        onCreated={(spaceId) => navigate(`/spaces/${spaceId}`)}
      />
    </PageFrame>
  )
}

function Row({ space: { id, name, description, role, updatedAt } }: { space: Space }) {
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Stack gap={2} miw={0}>
        {role === null ? (
          <Text fw={550} truncate>
            {name}
          </Text>
        ) : (
          <Anchor component={Link} href={`/spaces/${id}`} fw={550} truncate>
            {name}
          </Anchor>
        )}
        <Text size="xs" c="dimmed" truncate>
          {description ?? role ?? 'Public'} · <TimeAgo at={updatedAt} />
        </Text>
      </Stack>
      {role === null && <Join spaceId={id} />}
    </Group>
  )
}

/** As a member; then the room opens. */
function Join({ spaceId }: { spaceId: string }) {
  const [, navigate] = useLocation()
  const { principal } = useSession()
  const joining = useAction({
    run: () =>
      api.post('/v1/spaces/{spaceId}/members', {
        params: { path: { spaceId } },
        body: { subjectType: 'user', subjectId: principal?.id ?? '' }
      }),
    changes: [['spaces']],
    onDone: () => navigate(`/spaces/${spaceId}`)
  })
  return (
    <Button size="xs" variant="default" loading={joining.isPending} onClick={() => joining.mutate()}>
      Join
    </Button>
  )
}
