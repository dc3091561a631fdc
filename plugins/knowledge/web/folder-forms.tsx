import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  api,
  CancelButton,
  ConfirmButton,
  Dialog,
  ErrorNotice,
  Form,
  useAction,
  useAddress
} from 'agent-platform/console'
import { useState } from 'react'
import type { Folder } from './queries.ts'

interface Place {
  readonly spaceId: string
  readonly folderId: string | null
}

export function NewFolder({ spaceId, folderId, isOpen, onClose }: Place & Opening) {
  const creating = useAction({
    run: (name: string) =>
      api.post('/v1/knowledge/{spaceId}/folders', {
        params: { path: { spaceId } },
        body: { name, parentId: folderId }
      }),
    changes: [['knowledge', spaceId, 'folders']],
    onDone: onClose,
    isQuiet: true
  })
  return (
    <NameDialog
      title="New folder"
      submit="Create folder"
      initial=""
      isOpen={isOpen}
      onClose={onClose}
      action={creating}
    />
  )
}

/** To rename a folder, and to delete it with all that is in it. */
export function FolderActions({
  folder: { id: folderId, spaceId, parentId, name, path }
}: {
  folder: Folder
}) {
  const { change } = useAddress()
  const [isOpen, { open, close }] = useDisclosure()
  const params = { path: { spaceId, folderId } }
  const renaming = useAction({
    run: (name: string) =>
      api.patch('/v1/knowledge/{spaceId}/folders/{folderId}', { params, body: { name } }),
    changes: [['knowledge', spaceId]],
    onDone: close,
    isQuiet: true
  })
  const removing = useAction({
    run: () => api.delete('/v1/knowledge/{spaceId}/folders/{folderId}', { params }),
    changes: [['knowledge', spaceId]],
    done: 'The folder is deleted',
    onDone: () => change({ folder: parentId ?? undefined })
  })
  return (
    <>
      <Button variant="default" onClick={open}>
        Rename
      </Button>
      <ConfirmButton
        title="Delete this folder?"
        warning={`All folders and documents in ${path} are deleted, with all their versions. This cannot be undone.`}
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete folder
      </ConfirmButton>
      <NameDialog
        title="Rename the folder"
        submit="Rename"
        initial={name}
        isOpen={isOpen}
        onClose={close}
        action={renaming}
      />
    </>
  )
}

interface Opening {
  readonly isOpen: boolean
  readonly onClose: () => void
}
interface NameDialogProps extends Opening {
  readonly title: string
  readonly submit: string
  readonly initial: string
  readonly action: ReturnType<typeof useAction<string>>
}

function NameDialog({ title, submit, initial, isOpen, onClose, action }: NameDialogProps) {
  const [name, setName] = useState(initial)
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <Form action={action} onSubmit={() => action.mutate(name.trim())}>
        <Stack>
          <TextInput
            label="Name"
            description="Without slashes"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
          />
          {action.error ? <ErrorNotice error={action.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={action.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
