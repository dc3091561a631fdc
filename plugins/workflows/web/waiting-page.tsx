import { Anchor, Card, Stack, Text } from '@mantine/core'
import { EmptyState, ListView, PageFrame, TimeAgo, useList } from 'agent-platform/console'
import { CircleCheck } from 'lucide-react'
import { Link } from 'wouter'
import { readWaiting } from './queries.ts'
import { WaitingStep } from './waiting-steps.tsx'

/** All steps that the caller can let go on, of whichever workflow. */
export default function WaitingPage() {
  const list = useList(['workflows', 'waiting'], (cursor, signal) => readWaiting(20, cursor, signal), {
    refresh: 10_000
  })
  return (
    <PageFrame title="Waits for you" crumbs={[{ label: 'Workflows', to: '/workflows' }]}>
      <ListView
        list={list}
        empty={
          <EmptyState icon={CircleCheck} title="Nothing waits for you">
            Approvals of workflows that ask you stand here, and the events that your executions wait for.
          </EmptyState>
        }
      >
        {(steps) => (
          <Stack gap="md">
            {steps.map((step) => (
              <Card
                key={step.id}
                id={step.id}
                withBorder
                padding="lg"
                role="region"
                aria-label={`${step.path} waits`}
              >
                <Text size="sm" c="dimmed" component="div" mb="xs">
                  {step.workflowName === null ? (
                    `Asked by ${step.owner}`
                  ) : (
                    <Anchor
                      component={Link}
                      href={`/workflows/${step.workflowId}/executions/${step.executionId}`}
                      size="sm"
                    >
                      {step.workflowName}
                    </Anchor>
                  )}
                  , <TimeAgo at={step.startedAt} />
                </Text>
                <WaitingStep execution={{ workflowId: step.workflowId, id: step.executionId }} step={step} />
              </Card>
            ))}
          </Stack>
        )}
      </ListView>
    </PageFrame>
  )
}
