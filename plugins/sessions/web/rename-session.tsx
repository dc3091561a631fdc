import { Button, Group, Stack, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { Session } from 'agent-platform-client'
import { useState } from 'react'

/** Gives a session another title, or none. */
export function RenameSession(props: { session: Session; isOpen: boolean; onClose: () => void }) {
  const { session, isOpen, onClose } = props
  const [title, setTitle] = useState(session.title ?? '')
  const renaming = useAction({
    run: () =>
      api.patch('/v1/sessions/{id}', {
        params: { path: { id: session.id } },
        body: { title: title.trim() || null }
      }),
    changes: [['sessions']],
    done: 'The session is renamed',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Rename the session">
      <Form action={renaming} onSubmit={() => renaming.mutate()}>
        <Stack>
          <TextInput
            label="Title"
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
            maxLength={200}
            data-autofocus
          />
          {renaming.error ? <ErrorNotice error={renaming.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={renaming.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
