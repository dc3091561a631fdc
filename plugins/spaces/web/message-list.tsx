import { Anchor, Badge, Button, Card, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { api, ConfirmButton, EmptyState, Markdown, TimeAgo, useAction } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Member, Message, Space } from './use-live-space.ts'

interface Props {
  readonly space: Space
  readonly own: Member | undefined
  readonly onAnswer: (message: Message) => void
}

/** Those that are offered; others come by the API. */
const emojis = ['👍', '❤️', '🎉', '👀']

/** What was said, the latest below, in sight as it comes. */
export function MessageList({ space, own, onAnswer }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const { messages } = space
  const last = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when there is another last one
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  if (messages.length === 0)
    return (
      <EmptyState icon={MessagesSquare} title="Nothing was said yet">
        Write the first message. An agent answers when you mention it as @name.
      </EmptyState>
    )
  return (
    <ScrollArea.Autosize mah="60vh" viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Messages' }}>
      <Stack gap="sm" pr="xs">
        {messages.map((message) => (
          <MessageCard key={message.id} message={message} space={space} own={own} onAnswer={onAnswer} />
        ))}
      </Stack>
      <div ref={end} />
    </ScrollArea.Autosize>
  )
}

function MessageCard({ message, space, own, onAnswer }: Props & { message: Message }) {
  const { id, authorName, authorType, content, replyToId, attachments, runId, createdAt, version } = message
  const answers = space.messages.find((it) => it.id === replyToId)
  const isOwn = own?.id === message.memberId
  const mayDelete = isOwn || own?.role === 'admin' || own?.role === 'owner'
  const params = { path: { spaceId: space.id, messageId: id } }
  const removing = useAction({
    run: () => api.delete('/v1/spaces/{spaceId}/messages/{messageId}', { params })
  })
  return (
    <Card withBorder padding="sm" component="article">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {authorName}
          </Text>
          {authorType === 'agent' && (
            <Badge variant="default" radius="sm" tt="none">
              agent
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" component="span">
          {version > 1 && content !== null && 'edited · '}
          <TimeAgo at={createdAt} />
          {runId && (
            <>
              {' · '}
              <Anchor component={Link} href={`/runs/${runId}`} size="xs" underline="always">
                Run
              </Anchor>
            </>
          )}
        </Text>
      </Group>
      {replyToId && (
        <Text size="xs" c="dimmed" truncate>
          Answers{' '}
          {answers ? `${answers.authorName}: ${(answers.content ?? '').slice(0, 100)}` : 'an earlier message'}
        </Text>
      )}
      {content === null ? (
        <Text size="sm" c="dimmed" fs="italic">
          This message was deleted
        </Text>
      ) : authorType === 'agent' ? (
        <Markdown text={content} />
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {content}
        </Text>
      )}
      {attachments.map(({ fileId, name }) => (
        <Anchor
          key={fileId}
          size="sm"
          href={`/v1/spaces/${space.id}/messages/${id}/attachments/${fileId}`}
          download
        >
          {name}
        </Anchor>
      ))}
      {content !== null && own && (
        <Group gap={4} mt={6}>
          <Reactions message={message} own={own} />
          <Button size="compact-xs" variant="subtle" onClick={() => onAnswer(message)}>
            Reply
          </Button>
          {mayDelete && (
            <ConfirmButton
              size="compact-xs"
              variant="subtle"
              title="Delete this message?"
              warning="A mark stays where it stood."
              onClick={() => removing.mutate()}
            >
              Delete
            </ConfirmButton>
          )}
        </Group>
      )}
    </Card>
  )
}

function Reactions({ message, own }: { message: Message; own: Member }) {
  const { id: messageId, spaceId, reactions } = message
  const reacting = useAction({
    run: ({ emoji, isAdded }: { emoji: string; isAdded: boolean }) => {
      const params = { path: { spaceId, messageId, emoji } }
      const path = '/v1/spaces/{spaceId}/messages/{messageId}/reactions/{emoji}'
      return isAdded ? api.put(path, { params }) : api.delete(path, { params })
    }
  })
  const shown = [...new Set([...reactions.map(({ emoji }) => emoji), ...emojis])]
  return shown.map((emoji) => {
    const memberIds = reactions.find((it) => it.emoji === emoji)?.memberIds ?? []
    const isOwn = memberIds.includes(own.id)
    return (
      <Button
        key={emoji}
        size="compact-xs"
        variant={isOwn ? 'light' : 'subtle'}
        aria-pressed={isOwn}
        aria-label={`${emoji} ${memberIds.length}`}
        onClick={() => reacting.mutate({ emoji, isAdded: !isOwn })}
      >
        {emoji} {memberIds.length > 0 && memberIds.length}
      </Button>
    )
  })
}
