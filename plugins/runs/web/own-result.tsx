import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core'
import { api, ErrorNotice, Form, useAction } from 'agent-platform/console'
import { useState } from 'react'

/** Gives the result of a call that the caller makes: as JSON where it is that, else as text. */
export function OwnResult(props: { runId: string; id: string; onAnswered: () => void }) {
  const { runId, id, onAnswered } = props
  const [text, setText] = useState('')
  const [isError, setIsError] = useState(false)
  const giving = useAction({
    run: () => api.runs.result(runId, id, { output: parsed(text), isError }),
    changes: [
      ['runs', runId],
      ['runs', 'list']
    ],
    onDone: onAnswered,
    isQuiet: true
  })
  return (
    <Form action={giving} onSubmit={() => giving.mutate()}>
      <Stack gap="sm">
        <Textarea
          label="Result"
          description="JSON or text. This tool belongs to the program that began the run; it may be about to answer, too."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
        />
        <Checkbox
          label="The call failed"
          checked={isError}
          onChange={(event) => setIsError(event.currentTarget.checked)}
        />
        {giving.error ? <ErrorNotice error={giving.error} /> : null}
        <Group>
          <Button type="submit" size="sm" loading={giving.isPending}>
            Send result
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
