import { Alert, Badge, Grid, Stack } from '@mantine/core'
import { Loaded, PageFrame, useSession } from 'agent-platform/console'
import { useState } from 'react'
import { useParams } from 'wouter'
import { Composer } from './composer.tsx'
import { MemberList } from './member-list.tsx'
import { MessageList } from './message-list.tsx'
import type { Message, Space } from './use-live-space.ts'
import { useLiveSpace } from './use-live-space.ts'

export default function SpacePage() {
  const { spaceId = '' } = useParams()
  const { full, typing, hasLeft } = useLiveSpace(spaceId)
  return <Loaded query={full}>{(space) => <Room space={space} typing={typing} hasLeft={hasLeft} />}</Loaded>
}

function Room({ space, typing, hasLeft }: { space: Space; typing: ReadonlySet<string>; hasLeft: boolean }) {
  const { principal } = useSession()
  const [answered, setAnswered] = useState<Message>()
  const own = space.members.find(
    ({ subjectType, subjectId }) => subjectType !== 'agent' && subjectId === principal?.id
  )
  const types = space.members.filter(({ id }) => typing.has(id) && id !== own?.id).map(({ name }) => name)
  return (
    <PageFrame
      title={space.name}
      description={space.description}
      crumbs={[{ label: 'Spaces', to: '/spaces' }]}
      badge={space.visibility === 'public' ? <Badge variant="default">public</Badge> : undefined}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            {hasLeft && (
              <Alert color="yellow">This space is not followed any more. Load the page again.</Alert>
            )}
            <MessageList space={space} own={own} onAnswer={setAnswered} />
            <Composer
              spaceId={space.id}
              answered={answered}
              types={types}
              isDisabled={!own || own.role === 'guest'}
              onSent={() => setAnswered(undefined)}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <MemberList space={space} own={own} />
        </Grid.Col>
      </Grid>
    </PageFrame>
  )
}
