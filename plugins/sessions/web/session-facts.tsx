import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { AgentLink, CodeBlock, TimeAgo } from 'agent-platform/console'
import type { Session } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** With whom it is, since when, and what its client keeps with it. */
export function SessionFacts({ session }: { session: Session }) {
  const { agentId, owner, initiator, createdAt, updatedAt, metadata, forkedFrom } = session
  return (
    <>
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 3, lg: 5 }} spacing="lg" verticalSpacing="md">
        <Fact name="Agent">
          <AgentLink agentId={agentId} />
        </Fact>
        <Fact name="Owner">{owner}</Fact>
        <Fact name="Started by">{initiator}</Fact>
        <Fact name="Started">
          <TimeAgo at={createdAt} />
        </Fact>
        <Fact name="Last said">
          <TimeAgo at={updatedAt} />
        </Fact>
        {forkedFrom && (
          <Fact name="Forked from">
            <Anchor component={Link} href={`/sessions/${forkedFrom.sessionId}`} size="sm">
              Original session
            </Anchor>
          </Fact>
        )}
      </SimpleGrid>
      {Object.keys(metadata).length > 0 && <CodeBlock value={metadata} label="Metadata" maxHeight={160} />}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text component="dt" size="xs" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
)
