import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core'
import { EmptyState, ListView, Markdown, TimeAgo } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { MessageSquare } from 'lucide-react'
import { Link } from 'wouter'
import classes from './session-messages.module.css'
import { useTranscript } from './use-transcript.ts'

type Message = Schemas['TranscriptMessage']

/** What was said, page by page. */
export function SessionMessages({ sessionId }: { sessionId: string }) {
  const list = useTranscript(sessionId)
  return (
    <ListView list={list} empty={<EmptyState icon={MessageSquare} title="Nothing was said yet" />}>
      {(messages) => (
        <Stack gap="sm" maw={860}>
          <Text size="xs" c="dimmed">
            The newest first
          </Text>
          {messages.map((message) => (
            <MessageCard key={message.id} message={message} />
          ))}
        </Stack>
      )}
    </ListView>
  )
}

const names = { user: 'User', assistant: 'Agent', system: 'System' } as const
/** More is not laid out. */
const SHOWN = 100_000

function MessageCard({ message }: { message: Message }) {
  const { role, content, runId, createdAt } = message
  const calls = message.role === 'assistant' ? message.toolCalls : []
  return (
    <Card withBorder padding="md" component="article" className={classes.message}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {names[role]}
          </Text>
          {message.role !== 'assistant' && message.untrusted && (
            <Badge variant="default" radius="sm" tt="none">
              From outside
            </Badge>
          )}
          {message.role !== 'assistant' && message.isSummary && (
            <Badge variant="default" radius="sm" tt="none">
              Summary of earlier messages
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" component="span">
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
      {role === 'assistant' ? (
        <Markdown text={content} />
      ) : (
        <Text size="sm" className={classes.text}>
          {content.slice(0, SHOWN)}
        </Text>
      )}
      {calls.length > 0 && (
        <Group gap={6} mt="xs">
          {calls.map(({ callId, toolName }) => (
            <Badge key={callId} variant="light" radius="sm" tt="none" maw="100%">
              {toolName}
            </Badge>
          ))}
        </Group>
      )}
    </Card>
  )
}
