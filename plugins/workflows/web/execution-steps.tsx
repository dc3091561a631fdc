import { Accordion, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { CodeBlock, StatusBadge, TimeAgo, useAddress, usedText } from 'agent-platform/console'
import { Link } from 'wouter'
import type { ExecutionStep } from './queries.ts'
import { stepTypeOf } from './step-types.ts'

/** More are shown as they are asked for. */
const SHOWN = 200

/** What became of each step, in the order in which they began; which one is open stands in the address. */
export function ExecutionSteps({ steps }: { steps: readonly ExecutionStep[] }) {
  const { search, change } = useAddress()
  const open = search.get('step')
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Steps
      </Title>
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          No step has begun yet.
        </Text>
      )}
      <Accordion variant="separated" value={open} onChange={(path) => change({ step: path })} order={3}>
        {steps.slice(0, SHOWN).map((step) => {
          const { icon: Icon, label } = stepTypeOf(step.type)
          return (
            <Accordion.Item key={step.path} value={step.path}>
              <Accordion.Control icon={<Icon size={16} aria-hidden />}>
                <Group justify="space-between" gap="xs" pr="sm">
                  <Text span size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                    {step.path}
                  </Text>
                  <Group gap="sm">
                    <Text span size="xs">
                      {label}
                      {step.attempt > 1 ? `, attempt ${step.attempt}` : ''}
                    </Text>
                    <StatusBadge status={step.status} />
                  </Group>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>{open === step.path && <StepDetails step={step} />}</Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
      {steps.length > SHOWN && (
        <Text size="sm" c="dimmed">
          The first {SHOWN} of {steps.length} steps.
        </Text>
      )}
    </Stack>
  )
}

function StepDetails({ step }: { step: ExecutionStep }) {
  const { input, output, error, runId, executionId, decisions, startedAt, endedAt, cost, usage } = step
  const nested = (input as { workflowId?: unknown } | null)?.workflowId
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Text size="sm">
          Started <TimeAgo at={startedAt} />
          {endedAt && (
            <>
              , ended <TimeAgo at={endedAt} />
            </>
          )}
        </Text>
        {cost && (
          <Text size="sm">
            {cost.inputTokens} tokens in, {cost.outputTokens} out
          </Text>
        )}
        {usage.length > 0 && <Text size="sm">Used {usedText(usage)}</Text>}
        {runId && (
          <Anchor component={Link} href={`/runs/${runId}`} size="sm">
            Open the run
          </Anchor>
        )}
        {executionId && typeof nested === 'string' && (
          <Anchor component={Link} href={`/workflows/${nested}/executions/${executionId}`} size="sm">
            Open the execution
          </Anchor>
        )}
      </Group>
      {error && (
        <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
          {error.message} ({error.code})
        </Text>
      )}
      {decisions.map(({ by, decision, comment, at }) => (
        <Text key={`${by} ${at}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {by} {decision === 'approve' ? 'approved' : 'rejected'} it <TimeAgo at={at} />
          {comment && `: ${comment}`}
        </Text>
      ))}
      <Part of={step.path} label="Input" value={input} />
      <Part of={step.path} label="Output" value={output} />
    </Stack>
  )
}

const Part = ({ of, label, value }: { of: string; label: string; value: unknown }) =>
  value === null || value === undefined ? null : (
    <Stack gap={4}>
      <Text size="xs" fw={600}>
        {label}
      </Text>
      <CodeBlock label={`${label} of ${of}`} value={value} />
    </Stack>
  )
