import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CodeBlock } from 'agent-platform/console'
import { KeyRound } from 'lucide-react'

/** Of a liaison, once. */
export const ShownToken = ({ value, onDone }: { value: string; onDone: () => void }) => (
  <Stack>
    <Alert color="orange" variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
      It is shown this once. With it anyone may begin to speak to the liaison, and nothing else.
    </Alert>
    <CodeBlock value={value} label="Public token" />
    <Text size="sm" c="dimmed">
      Outsiders send it as <code>Authorization: Bearer …</code> to <code>POST /v1/liaison/interact</code>
    </Text>
    <Group justify="flex-end">
      <Button onClick={onDone}>I have copied it</Button>
    </Group>
  </Stack>
)
