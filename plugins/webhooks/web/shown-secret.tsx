import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CodeBlock } from 'agent-platform/console'
import { KeyRound } from 'lucide-react'

/** Of a webhook, once. */
export const ShownSecret = ({ value, onDone }: { value: string; onDone: () => void }) => (
  <Stack>
    <Alert color="orange" variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
      It is shown this once. With it the receiver proves that a message is from here.
    </Alert>
    <CodeBlock value={value} label="Secret" />
    <Text size="sm" c="dimmed">
      Messages are signed as Standard Webhooks has it: <code>webhook-id</code>, <code>webhook-timestamp</code>{' '}
      and <code>webhook-signature</code>.
    </Text>
    <Group justify="flex-end">
      <Button onClick={onDone}>I have copied it</Button>
    </Group>
  </Stack>
)
