import { Button, Group, Stack, Text } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { Workflow } from 'agent-platform-client'
import { useState } from 'react'
import { DataFields } from './data-fields.tsx'

interface Props {
  readonly workflow: Workflow
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onBegun: (executionId: string) => void
}

/** Asks for the input, and begins an execution. */
export function ExecuteWorkflow({ workflow, isOpen, onClose, onBegun }: Props) {
  const { id, version, definition } = workflow
  const [input, setInput] = useState<unknown>({})
  const executing = useAction({
    run: (input: unknown) =>
      api.post('/v1/workflows/{id}/execute', {
        params: { path: { id } },
        body: { input: input ?? {} }
      }),
    changes: [['workflows', id, 'executions']],
    onDone: ({ data }) => onBegun(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Execute the workflow" size="lg">
      <Form action={executing} onSubmit={() => executing.mutate(input)}>
        <Stack>
          <Text size="sm">It is version {version} as it is saved that begins.</Text>
          <DataFields label="Input" schema={definition.inputSchema} value={input} onChange={setInput} />
          {executing.error ? <ErrorNotice error={executing.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={executing.isPending}>
              Execute
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
