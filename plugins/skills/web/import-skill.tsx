import '@mantine/dropzone/styles.css'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { CancelButton, Dialog, ErrorNotice, uploadingApi, useAction } from 'agent-platform/console'
import { Upload } from 'lucide-react'
import { useState } from 'react'

/** A skill of its own is made of a SKILL.md, or of the archive of a skill's folder. */
export function ImportSkill(props: {
  isOpen: boolean
  onClose: () => void
  onImported: (id: string) => void
}) {
  const { isOpen, onClose, onImported } = props
  const [sent, setSent] = useState(0)
  const importing = useAction({
    run(file: File) {
      setSent(0)
      const body = new FormData()
      body.set('file', file, file.name)
      return uploadingApi(setSent).post('/v1/skills/import', { body } as never)
    },
    changes: [['skills']],
    done: 'The skill is imported',
    onDone: ({ data }) => onImported(data.id),
    isQuiet: true
  })
  const close = () => {
    onClose()
    importing.reset()
  }
  return (
    <Dialog opened={isOpen} onClose={close} title="Import a skill" size="lg">
      <Stack>
        <Dropzone
          onDrop={([file]) => file && importing.mutate(file)}
          multiple={false}
          loading={importing.isPending}
          inputProps={{ 'aria-label': 'SKILL.md or archive' }}
          p="xl"
        >
          <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
            <Upload size={28} strokeWidth={1.6} aria-hidden />
            <Text fw={550}>Drop a SKILL.md or a ZIP archive here, or click to choose</Text>
            <Text size="sm" c="dimmed" ta="center">
              Skills are instructions to your agents. Review skills from third parties before you assign them.
            </Text>
          </Stack>
        </Dropzone>
        {importing.isPending && <Progress value={sent * 100} animated aria-label="Sent" />}
        {importing.error ? <ErrorNotice error={importing.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={close} />
        </Group>
      </Stack>
    </Dialog>
  )
}
