import { Button, FileButton, Group, TextInput } from '@mantine/core'
import { api, Form, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { params, pathIn } from './queries.ts'

const MOST_UPLOADED = 67_108_864

/** Adds files to a folder of the computer: empty ones by name, and those of the person. */
export function Upload({ agentId, folder }: { agentId: string; folder: string }) {
  const [name, setName] = useState('')
  const write = (files: { path: string; content: string; encoding?: 'base64' }[]) =>
    api.post('/v1/agents/{agentId}/computer/files/write', { params: params(agentId), body: { files } })
  const uploading = useAction({
    run: async (chosen: globalThis.File[]) => {
      if (chosen.reduce((sum, { size }) => sum + size, 0) > MOST_UPLOADED)
        throw new Error('At most 64 MB at once')
      const files = await Promise.all(
        chosen.map(async (file) => ({
          path: pathIn(folder, file.name),
          content: await base64Of(file),
          encoding: 'base64' as const
        }))
      )
      return write(files)
    },
    changes: [['computer', agentId, 'files']],
    done: 'It is uploaded'
  })
  const making = useAction({
    run: () => write([{ path: pathIn(folder, name), content: '' }]),
    changes: [['computer', agentId, 'files']],
    done: 'The file is made',
    onDone: () => setName('')
  })
  return (
    <>
      <Form action={making} onSubmit={() => making.mutate()}>
        <Group gap="xs">
          <TextInput
            size="sm"
            aria-label="Name of a new file"
            placeholder="New file"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={200}
            w={140}
          />
          <Button
            size="sm"
            type="submit"
            variant="default"
            disabled={name.trim() === ''}
            loading={making.isPending}
          >
            Make
          </Button>
        </Group>
      </Form>
      <FileButton onChange={(files) => files.length > 0 && uploading.mutate(files)} multiple>
        {(props) => (
          <Button size="sm" {...props} loading={uploading.isPending}>
            Upload
          </Button>
        )}
      </FileButton>
    </>
  )
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
