import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { ApiError } from 'agent-platform-client'
import { CircleAlert } from 'lucide-react'
import { createContext, useContext } from 'react'

/** Whether a form around the notice shows by itself that somebody else saved a newer version. */
export const ConflictContext = createContext(false)

/** Why something could not be had, in the platform's words, with the request id to ask an operator by. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const refused = error instanceof ApiError ? error : undefined
  const isShown = useContext(ConflictContext)
  if (isShown && refused?.status === 412) return null
  return (
    <Alert
      variant="light"
      color="red"
      role="alert"
      icon={<CircleAlert aria-hidden />}
      title={refused?.status === 403 ? 'You may not see this' : titleOf(error)}
    >
      <Text size="sm">{messageOf(error)}</Text>
      <Group mt="xs" gap="md">
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        {refused?.requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{refused.requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  )
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const titleOf = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 ? 'There is nothing here' : 'This did not work'
