import { Badge, Group, Text } from '@mantine/core'
import { baseUrl } from 'agent-platform/console'
import { Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './chat.module.css'
import type { Attached } from './conversations.ts'
import { Folded } from './folded.tsx'
import type { Given } from './turns.ts'

/** What was said to the agent, as the record has it. */
export const GivenMessages = ({ messages }: { messages: readonly Given[] }) =>
  messages.map((message) => <GivenMessage key={message.id} message={message} />)

function GivenMessage({ message: { role, content, untrusted, attachments } }: { message: Given }) {
  if (role === 'system' || untrusted)
    return (
      <Folded label={role === 'system' ? 'System message' : 'Given from outside'}>
        <Text size="sm" className={classes.plain}>
          {content.slice(0, SHOWN)}
        </Text>
      </Folded>
    )
  return (
    <OwnMessage text={content}>
      {attachments?.map(({ fileId }) => (
        <a key={fileId} href={addressOf(fileId)} target="_blank" rel="noopener noreferrer">
          <img className={classes.image} src={addressOf(fileId)} alt="Attached" loading="lazy" />
        </a>
      ))}
    </OwnMessage>
  )
}

/** What was sent here and may not be in the record yet. */
export function SentMessage({ text, attached = [] }: { text: string; attached?: readonly Attached[] }) {
  return (
    <OwnMessage text={text}>
      {attached.length > 0 && (
        <Group gap={6} mt={6}>
          {attached.map(({ fileId, name }) => (
            <Badge
              key={fileId}
              variant="default"
              radius="sm"
              tt="none"
              leftSection={<Paperclip size={12} aria-hidden />}
            >
              {name}
            </Badge>
          ))}
        </Group>
      )}
    </OwnMessage>
  )
}

/** More is not laid out. */
const SHOWN = 100_000

const OwnMessage = ({ text, children }: { text: string; children?: ReactNode }) => (
  <article className={classes.own} aria-label="Message">
    {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
    {children}
  </article>
)

const addressOf = (fileId: string) => `${baseUrl}/v1/files/${encodeURIComponent(fileId)}/content`
