import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { CodeBlock } from 'agent-platform/console'
import { KeyRound } from 'lucide-react'

interface Props {
  readonly title: string
  readonly what: string
  readonly value: string | undefined
  readonly onDone: () => void
}

/** A secret, which no reply has again. */
export const ShownOnce = ({ title, what, value, onDone }: Props) => (
  <Modal
    opened={value !== undefined}
    onClose={onDone}
    title={title}
    size="lg"
    closeOnClickOutside={false}
    closeOnEscape={false}
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    <Stack>
      <Alert color="orange" variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
        {what}
      </Alert>
      <CodeBlock value={value ?? ''} label={title} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  </Modal>
)
