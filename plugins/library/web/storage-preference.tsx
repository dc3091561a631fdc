import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, CancelButton, Dialog, Loaded, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { preferenceQuery } from './queries.ts'

type Storage = 'object' | 'content-addressed'

/** Whether the files of the caller's owner also get an address by their content. */
export function StoragePreference({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const preference = useQuery({ ...preferenceQuery, enabled: isOpen })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Storage preference">
      <Loaded query={preference}>
        {({ storage, version }) => <PreferenceForm key={version} initial={storage} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function PreferenceForm({ initial, onClose }: { initial: Storage; onClose: () => void }) {
  const [storage, setStorage] = useState(initial)
  const saving = useAction({
    run: (storage: Storage) => api.patch('/v1/library/preferences/storage', { body: { storage } }),
    changes: [['library']],
    done: 'The preference is saved',
    onDone: onClose
  })
  return (
    <Stack>
      <Radio.Group
        label="How your files are kept"
        value={storage}
        onChange={(value) => setStorage(value as Storage)}
      >
        <Stack mt="xs" gap="sm">
          <Radio
            value="object"
            label="Object storage"
            description="The bytes lie in the platform’s storage."
          />
          <Radio
            value="content-addressed"
            label="Content-addressed"
            description="Each file also gets a CID. Where the operator has set up a network node, the node is given the bytes."
          />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        A CID stays when the preference changes back, and what a public network has cannot be taken back.
      </Text>
      <Group justify="flex-end">
        <CancelButton onClick={onClose} />
        <Button
          loading={saving.isPending}
          onClick={() => saving.mutate(storage)}
          disabled={storage === initial}
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}
