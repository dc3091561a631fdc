import { Anchor, Box, SimpleGrid, Text } from '@mantine/core'
import { Contributed, TimeAgo, useContributions } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { durationOf, inWords } from './durations.ts'
import type { RunView } from './run-view.ts'
import { callsOf, hasEnded } from './run-view.ts'

/** What is known of a run in a few numbers. */
export function RunFacts(props: { run: Run; view: RunView; agentName: string | undefined }) {
  const { run, view, agentName } = props
  const facts = useContributions('runFacts')
  const { agentId, sessionId, owner, createdAt, usage } = run
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 3, lg: 4 }} spacing="lg" verticalSpacing="md">
      <Fact name="Agent">
        <Anchor component={Link} href={`/agents/${agentId}`} size="sm">
          {agentName ?? agentId}
        </Anchor>
      </Fact>
      <Fact name="Conversation">
        <Anchor component={Link} href={`/agents/${agentId}/chat?session=${sessionId}`} size="sm">
          Open in the chat
        </Anchor>
      </Fact>
      <Fact name="Owner">{owner}</Fact>
      <Fact name="Began">
        <TimeAgo at={createdAt} />
      </Fact>
      <Fact name="Duration">{durationOf(run)}</Fact>
      {view.times.firstWords !== undefined && (
        <Fact name="First words">after {inWords(view.times.firstWords)}</Fact>
      )}
      <Fact name="Tokens in">
        {usage.inputTokens.toLocaleString('en')}
        {usage.cachedTokens > 0 && ` (${usage.cachedTokens.toLocaleString('en')} cached)`}
        {usage.cacheWriteTokens && ` (${usage.cacheWriteTokens.toLocaleString('en')} written to the cache)`}
      </Fact>
      <Fact name="Tokens out">{usage.outputTokens.toLocaleString('en')}</Fact>
      <Fact name="Calls of tools">{callsOf(view).length}</Fact>
      {facts.map(({ key, load }) => (
        <Contributed key={key} load={load} runId={run.id} isOpen={!hasEnded(run)}>
          {(name, value) => <Fact name={name}>{value}</Fact>}
        </Contributed>
      ))}
    </SimpleGrid>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box miw={0}>
    <Text component="dt" size="xs" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </Box>
)
