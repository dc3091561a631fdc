import '@mantine/dropzone/styles.css'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useQueryClient } from '@tanstack/react-query'
import { Dialog, ErrorNotice, uploadingApi, useAction } from 'agent-platform/console'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { ImportProgress } from './import-progress.tsx'

interface Props {
  readonly spaceId: string
  readonly folderId: string | null
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Files become documents: they are sent, then read, and what could not be read is told. */
export function ImportDialog({ spaceId, folderId, isOpen, onClose }: Props) {
  const queries = useQueryClient()
  const [sent, setSent] = useState(0)
  const importing = useAction({
    async run(files: readonly File[]) {
      setSent(0)
      const body = new FormData()
      for (const file of files) body.append('file', file, file.name)
      const params = { path: { spaceId }, query: { folderId: folderId ?? undefined } }
      return uploadingApi(setSent).post('/v1/knowledge/{spaceId}/import', { params, body: body as never })
    },
    isQuiet: true
  })
  const close = () => {
    onClose()
    importing.reset()
    queries.invalidateQueries({ queryKey: ['knowledge', spaceId] })
  }
  const started = importing.data?.data
  return (
    <Dialog opened={isOpen} onClose={close} title="Import documents" size="lg">
      <Stack>
        {!started && (
          <Dropzone
            onDrop={(files) => importing.mutate(files)}
            loading={importing.isPending}
            inputProps={{ 'aria-label': 'Files to import' }}
            p="xl"
          >
            <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
              <Upload size={28} strokeWidth={1.6} aria-hidden />
              <Text fw={550}>Drop files here, or click to choose</Text>
              <Text size="sm" c="dimmed" ta="center">
                Markdown, text, HTML, CSV, PDF, Word, or a ZIP archive of folders with them; 64 MiB at once. A
                path that is there already becomes a new version.
              </Text>
            </Stack>
          </Dropzone>
        )}
        {importing.isPending && (
          <div role="status">
            <Text size="sm" mb={4}>
              {sent < 1 ? `Sending: ${Math.round(sent * 100)} %` : 'Reading the files…'}
            </Text>
            <Progress value={sent * 100} animated aria-label="Sent" />
          </div>
        )}
        {importing.error ? <ErrorNotice error={importing.error} /> : null}
        {started && <ImportProgress started={started} />}
        <Group justify="flex-end">
          {started && (
            <Button variant="default" onClick={() => importing.reset()}>
              Import more
            </Button>
          )}
          <Button variant={started ? 'filled' : 'default'} onClick={close}>
            {started ? 'Done' : 'Cancel'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
