import { Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { api, ErrorNotice, Form, TimeAgo, useAction } from 'agent-platform/console'
import type { Execution } from 'agent-platform-client'
import { useState } from 'react'
import { DataFields } from './data-fields.tsx'
import type { ExecutionStep } from './queries.ts'

/** What an execution waits for that the caller can give: decisions and events. */
export function WaitingSteps({ execution }: { execution: Execution }) {
  const waiting = execution.steps.filter(
    ({ status, type, input }) =>
      status === 'waiting' && (type === 'approval' || (type === 'wait' && Object(input).event !== undefined))
  )
  return waiting.map((step) => (
    <Card key={step.path} withBorder padding="lg" role="region" aria-label={`Step ${step.path} waits`}>
      <WaitingStep execution={execution} step={step} />
    </Card>
  ))
}

interface Props {
  readonly execution: Pick<Execution, 'workflowId' | 'id'>
  readonly step: Pick<ExecutionStep, 'path' | 'type' | 'input' | 'deadline'>
}

/** One step, with the form by which it goes on. */
export const WaitingStep = ({ execution, step }: Props) =>
  step.type === 'approval' ? (
    <Decision execution={execution} step={step} />
  ) : (
    <AwaitedEvent execution={execution} step={step} />
  )

function Decision({ execution, step }: Props) {
  const { workflowId, id } = execution
  const { message, form } = Object(step.input) as { message?: unknown; form?: unknown }
  const [data, setData] = useState<unknown>()
  const [comment, setComment] = useState('')
  const deciding = useAction({
    run: (decision: 'approve' | 'reject') =>
      api.post(`/v1/workflows/{id}/executions/{executionId}/${decision}`, {
        params: { path: { id: workflowId, executionId: id } },
        body: { stepId: step.path, ...(comment && { comment }), ...(data !== undefined && { data }) }
      }),
    changes: [
      ['workflows', workflowId, 'executions'],
      ['workflows', 'waiting']
    ],
    done: (_, decision) => (decision === 'approve' ? 'It is approved' : 'It is rejected'),
    isQuiet: true
  })
  return (
    <Form action={deciding} onSubmit={() => deciding.mutate('approve')}>
      <Stack gap="sm" maw={640}>
        <Title order={2} size="h5">
          {step.path} waits for a decision
        </Title>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {typeof message === 'string' ? message : JSON.stringify(message)}
        </Text>
        <Deadline step={step} />
        {form ? <DataFields label="Data" schema={form} value={data} onChange={setData} /> : null}
        <Textarea
          label="Comment"
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={5_000}
          autosize
          maxRows={6}
        />
        {deciding.error ? <ErrorNotice error={deciding.error} /> : null}
        <Group>
          <Button type="submit" loading={deciding.isPending}>
            Approve
          </Button>
          <Button
            variant="light"
            color="red"
            loading={deciding.isPending}
            onClick={() => deciding.mutate('reject')}
          >
            Reject
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function AwaitedEvent({ execution, step }: Props) {
  const { workflowId, id } = execution
  const { event, key, schema } = Object(step.input) as { event: string; key?: string; schema?: unknown }
  const [data, setData] = useState<unknown>()
  const sending = useAction({
    run: (data: unknown) =>
      api.post('/v1/workflows/{id}/executions/{executionId}/events', {
        params: { path: { id: workflowId, executionId: id } },
        body: { event, ...(key !== undefined && { key }), ...(data !== undefined && { data }) }
      }),
    changes: [
      ['workflows', workflowId, 'executions'],
      ['workflows', 'waiting']
    ],
    done: 'The event is sent',
    isQuiet: true
  })
  return (
    <Form action={sending} onSubmit={() => sending.mutate(data)}>
      <Stack gap="sm" maw={640}>
        <Title order={2} size="h5">
          {step.path} waits for the event {event}
        </Title>
        {key !== undefined && <Text size="sm">With the key {key}</Text>}
        <Deadline step={step} />
        <DataFields label="Data" schema={schema} value={data} onChange={setData} />
        {sending.error ? <ErrorNotice error={sending.error} /> : null}
        <Group>
          <Button type="submit" loading={sending.isPending}>
            Send the event
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

const Deadline = ({ step: { deadline } }: Pick<Props, 'step'>) =>
  deadline && (
    <Text size="sm" c="dimmed">
      It ends <TimeAgo at={deadline} />.
    </Text>
  )
