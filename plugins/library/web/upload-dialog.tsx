import '@mantine/dropzone/styles.css'
import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { bytesOf, Dialog } from 'agent-platform/console'
import { CircleAlert, CircleCheck, Upload } from 'lucide-react'
import { refusalOf } from './refusals.ts'
import type { Sending } from './uploads.ts'
import { useUploads } from './uploads.ts'

/** Files, one after another, each with how far it is or why it was refused. */
export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { sendings, add, retry, clear, isBusy } = useUploads()
  const close = () => {
    onClose()
    if (!isBusy) clear()
  }
  const failed = sendings.filter(({ error }) => error !== undefined)
  return (
    <Dialog opened={isOpen} onClose={close} title="Upload files" size="lg">
      <Stack>
        <Dropzone onDrop={add} inputProps={{ 'aria-label': 'Files to upload' }} p="xl">
          <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
            <Upload size={28} strokeWidth={1.6} aria-hidden />
            <Text fw={550}>Drop files here, or click to choose</Text>
            <Text size="sm" c="dimmed">
              Several at once are fine. They go on uploading while this is closed.
            </Text>
          </Stack>
        </Dropzone>
        {sendings.length > 0 && (
          <List
            listStyleType="none"
            spacing="sm"
            aria-label="Uploads"
            styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
          >
            {sendings.map((sending) => (
              <List.Item key={sending.key}>
                <SendingRow sending={sending} />
              </List.Item>
            ))}
          </List>
        )}
        <Group justify="flex-end">
          {failed.length > 0 && !isBusy && (
            <Button variant="default" onClick={retry}>
              Try the {failed.length === 1 ? 'failed one' : `${failed.length} failed ones`} again
            </Button>
          )}
          <Button variant={isBusy ? 'default' : 'filled'} onClick={close}>
            {isBusy ? 'Close' : 'Done'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function SendingRow({ sending: { file, sent, state, error } }: { sending: Sending }) {
  const per = Math.round(sent * 100)
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" truncate title={file.name}>
          {file.name}
        </Text>
        <Group gap={6} wrap="nowrap" flex="none">
          <Text size="xs" c="dimmed">
            {bytesOf(file.size)} · {state === 'sending' ? `${per} %` : state}
          </Text>
          {state === 'uploaded' && <CircleCheck size={16} color="var(--mantine-color-green-7)" aria-hidden />}
          {state === 'failed' && <CircleAlert size={16} color="var(--mantine-color-red-7)" aria-hidden />}
        </Group>
      </Group>
      <Progress
        value={state === 'uploaded' ? 100 : per}
        color={state === 'failed' ? 'red' : state === 'uploaded' ? 'green' : undefined}
        animated={state === 'sending'}
        size="sm"
        aria-label={`${file.name}: ${state}`}
      />
      {error !== undefined && (
        <Text size="sm" c="red.8" role="alert">
          {refusalOf(error)}
        </Text>
      )}
    </Stack>
  )
}
