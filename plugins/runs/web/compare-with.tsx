import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'

/** By the id of another run, or its link. */
export function CompareWith({ runId }: { runId: string }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const other = /run_[0-9a-z]+/.exec(text)?.[0]
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (other) navigate(`/runs/${runId}/compare/${other}`)
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Compare with"
          placeholder="Id or link of another run"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={text !== '' && !other ? 'This names no run' : undefined}
          w={320}
          maw="100%"
        />
        <Button type="submit" variant="default" disabled={!other}>
          Compare
        </Button>
      </Group>
    </form>
  )
}
