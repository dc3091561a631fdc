import { Alert, Button, Card, Center, Code, Divider, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../kit/error-notice.tsx'
import type { SignInMethod } from '../kit/session.tsx'
import { signIn, signInAddress } from '../kit/session.tsx'
import { Logo } from './logo.tsx'

/** The code of a link, which leaves the address and the history at once. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined
  if (code) history.replaceState(null, '', location.pathname)
  return code
}

/** Whether the browser came back from a method to sign in that did not end well. */
function takeFailure(): boolean {
  const hasFailed = location.hash === '#failed'
  if (hasFailed) history.replaceState(null, '', location.pathname)
  return hasFailed
}

interface SignInProps {
  /** Who is signed in already. */
  readonly signedInAs: string | undefined
  readonly signInMethods: readonly SignInMethod[]
  readonly onDone: () => Promise<unknown>
}

/** By another method, where there is one; by the code of a link, or by a key. */
export function SignIn({ signedInAs, signInMethods, onDone }: SignInProps) {
  const [path, navigate] = useLocation()
  const [hasFailed] = useState(takeFailure)
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
  // A link from another person would have the person work as another one unawares.
  const [asks, setAsks] = useState(code !== undefined && signedInAs !== undefined)
  useEffect(() => {
    if (code && !asks) mutate({ code })
  }, [code, asks, mutate])
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
            {hasFailed && !signing.error && (
              <Alert color="red" variant="light" role="alert">
                That did not end well, or took too long. Begin once more.
              </Alert>
            )}
            {asks && (
              <Alert color="yellow" variant="light" title="This link signs you in as another caller">
                <Stack gap="sm" align="start">
                  <Text size="sm">
                    You are signed in as {signedInAs}, and that session would end. Go on only if you asked for
                    this link yourself.
                  </Text>
                  <Button size="xs" onClick={() => setAsks(false)}>
                    Sign in with this link
                  </Button>
                  <Button size="xs" variant="default" onClick={() => navigate('/', { replace: true })}>
                    Stay signed in
                  </Button>
                </Stack>
              </Alert>
            )}
            {signInMethods.map((method) => (
              <Button
                key={method.key}
                component="a"
                href={signInAddress(method, path === '/sign-in' ? {} : { to: path })}
                fullWidth
              >
                {method.label}
              </Button>
            ))}
            {signInMethods.length > 0 && <Divider label="or with a key" />}
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
            <Button
              type="submit"
              variant={signInMethods.length > 0 ? 'default' : 'filled'}
              loading={signing.isPending}
              fullWidth
            >
              {signInMethods.length > 0 ? 'Sign in with the key' : 'Sign in'}
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
