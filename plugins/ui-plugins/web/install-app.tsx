import '@mantine/dropzone/styles.css'
import { Code, Group, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { CancelButton, Dialog, ErrorNotice, uploadingApi, useAction } from 'agent-platform/console'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { packageOf } from './app-package.ts'

/** Registers a version as a draft: it does nothing until it is enabled. */
export function InstallApp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [sent, setSent] = useState(0)
  const installing = useAction({
    async run(files: readonly File[]) {
      setSent(0)
      return uploadingApi(setSent).put('/v1/ui-plugins', { body: await packageOf(files) })
    },
    changes: [['apps']],
    onDone: ({ data }) => navigate(`/apps/${data.pluginId}/permissions`),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Install an app" size="lg">
      <Stack>
        <Text size="sm">
          The author of an app publishes it from its folder, by <Code>agent-platform-app publish</Code>. Here
          you install what was built: nothing of it may do anything until you enable it.
        </Text>
        <Dropzone
          onDrop={(files) => installing.mutate(files)}
          loading={installing.isPending}
          inputProps={{ 'aria-label': 'Files of the app' }}
          p="xl"
        >
          <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
            <Upload size={28} strokeWidth={1.6} aria-hidden />
            <Text fw={550}>Drop the built folder here, or click to choose its files</Text>
            <Text size="sm" c="dimmed" ta="center">
              A folder with manifest.json and the files that it names, or one JSON file with manifest and
              files; 8 MiB in all.
            </Text>
          </Stack>
        </Dropzone>
        {installing.isPending && (
          <div role="status">
            <Text size="sm" mb={4}>
              {sent < 1 ? `Sending: ${Math.round(sent * 100)} %` : 'Examining the code…'}
            </Text>
            <Progress value={sent * 100} animated aria-label="Sent" />
          </div>
        )}
        {installing.error ? <ErrorNotice error={installing.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
        </Group>
      </Stack>
    </Dialog>
  )
}
