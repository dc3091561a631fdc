import { Button, Group, Stack } from '@mantine/core'
import type { FormSchema } from 'agent-platform/console'
import { api, ErrorNotice, Form, SchemaForm, useAction } from 'agent-platform/console'
import type { ElicitationAnswer } from 'agent-platform-client'
import { useState } from 'react'

/** Answers what a tool asks, by a form of the schema that it gave. */
export function Question(props: { runId: string; id: string; schema: unknown; onAnswered: () => void }) {
  const { runId, id, onAnswered } = props
  const schema = (props.schema ?? {}) as FormSchema
  const [content, setContent] = useState<Readonly<Record<string, unknown>>>(() => defaultsOf(schema))
  const answering = useAction({
    run: (answer: ElicitationAnswer) => api.runs.answer(runId, id, answer),
    changes: [
      ['runs', runId],
      ['runs', 'list']
    ],
    onDone: onAnswered,
    isQuiet: true
  })
  return (
    <Form action={answering} onSubmit={() => answering.mutate({ action: 'accept', content })}>
      <Stack gap="sm">
        <SchemaForm schema={schema} value={content} onChange={setContent} />
        {answering.error ? <ErrorNotice error={answering.error} /> : null}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={answering.isPending}>
            Send answer
          </Button>
          <Button
            size="sm"
            variant="default"
            disabled={answering.isPending}
            onClick={() => answering.mutate({ action: 'decline' })}
          >
            Decline
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

const defaultsOf = ({ properties = {} }: FormSchema) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, it]) => (it.default === undefined ? [] : [[name, it.default]]))
  )
