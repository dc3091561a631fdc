import { Alert, Button, Card, Center, Code, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../kit/error-notice.tsx'
import { signIn } from '../kit/session.tsx'
import { Logo } from './logo.tsx'

/** The code of a link, which leaves the address and the history at once. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined
  if (code) history.replaceState(null, '', location.pathname)
  return code
}

/** By the code of a link, or by a key. */
export function SignIn({ onDone }: { onDone: () => Promise<unknown> }) {
  const [path, navigate] = useLocation()
  const [key, setKey] = useState('')
  const [code] = useState(takeCode)
  const signing = useMutation({
    mutationFn: signIn,
    async onSuccess() {
      await onDone()
      if (path === '/sign-in') navigate('/', { replace: true })
    }
  })
  const { mutate } = signing
  useEffect(() => {
    if (code) mutate({ code })
  }, [code, mutate])
  useEffect(() => {
    document.title = 'Sign in · Agent Platform'
  }, [])

  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder shadow="sm" padding="xl" w="100%" maw={420}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            mutate({ key: key.trim() })
          }}
        >
          <Stack>
            <Logo />
            <Title order={1} size="h3">
              Sign in
            </Title>
            <PasswordInput
              label="API key"
              description="Or open the link that the platform prints when it starts."
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
              required
            />
            {signing.error && (
              <Alert color="red" variant="light" role="alert">
                {messageOf(signing.error)}
              </Alert>
            )}
            <Button type="submit" loading={signing.isPending} fullWidth>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              On the machine that it runs on, <Code>npm run -s platform -- console</Code> prints a new link.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  )
}
