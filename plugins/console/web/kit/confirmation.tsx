import { Alert, Anchor, Button, Group, Loader, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from 'agent-platform-client'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from './api.ts'
import { signInAddress, useSession } from './session.tsx'
import { useAction } from './use-action.ts'

/** Does something for which the person has to have proved lately who it is: asks for that where it is missing, and does it then. */
export type Guard = <T>(run: () => Promise<T>) => Promise<T>

interface Asked {
  readonly confirmed: () => void
  readonly refused: (why: Error) => void
}
const isNeeded = (error: unknown) => error instanceof ApiError && error.code === 'confirmation_required'

/** A guard, and the dialog by which it asks. What is guarded must not be repeated by an idempotency key: the refusal would be. */
export function useConfirmation() {
  const [asked, setAsked] = useState<Asked>()
  const guard: Guard = async (run) => {
    try {
      return await run()
    } catch (error) {
      if (!isNeeded(error)) throw error
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      setAsked({ confirmed: resolve, refused: reject })
      await promise.finally(() => setAsked(undefined))
      return run()
    }
  }
  const dialog = (
    <Modal
      opened={asked !== undefined}
      onClose={() => asked?.refused(new Error('You did not confirm that it is you: nothing was changed.'))}
      title="Confirm that it is you"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {asked && <Confirm done={asked.confirmed} />}
    </Modal>
  )
  return { guard, dialog }
}

/** Whether the browser was signed in by the person, who can prove it once more here, and not by a token, which anybody may have opened. */
function useIsOwnSession() {
  const { data, error, isPending } = useQuery({
    queryKey: ['confirmation', 'session'],
    queryFn: ({ signal }) => api.get('/v1/people/me/sessions', { params: { query: { limit: 1 } }, signal }),
    retry: false,
    staleTime: 60_000
  })
  if (isPending) return undefined
  return data !== undefined || !(error instanceof ApiError && error.code === 'browser_required')
}

/** Where the browser signs in anew, and comes back to this page. */
function useFreshAddress(): string | undefined {
  const { signInMethods } = useSession()
  const [path] = useLocation()
  const search = useSearch()
  const method = signInMethods.find(({ key }) => key === 'identity')
  return method && signInAddress(method, { to: search ? `${path}?${search}` : path, isFresh: true })
}

function Confirm({ done }: { done: () => void }) {
  const isOwn = useIsOwnSession()
  if (isOwn === undefined) return <Loader aria-label="Loading" />
  return isOwn ? <ConfirmForm done={done} /> : <SignInFirst />
}

function SignInFirst() {
  const address = useFreshAddress()
  return (
    <Stack>
      <Text size="sm">
        This browser was signed in by an access token or by the link of a program, and nobody can tell by that
        who sits in front of it. How you sign in, which keys act as you, and who else is let in is decided
        only by you: sign in, and do it once more. You come back to this page.
      </Text>
      <Group justify="flex-end">
        {address && (
          <Button component="a" href={address}>
            Sign in
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function ConfirmForm({ done }: { done: () => void }) {
  const [password, setPassword] = useState('')
  const address = useFreshAddress()
  const send = (body: { password: string } | { response: Record<string, unknown> }) =>
    api.post('/v1/people/me/confirm', { body, idempotencyKey: false })
  const byPassword = useAction({ run: () => send({ password }), onDone: done, isQuiet: true })
  const byPasskey = useAction({
    run: async () => {
      const { data } = await api.post('/v1/people/me/confirm/challenges', { idempotencyKey: false })
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        data.publicKey as unknown as PublicKeyCredentialRequestOptionsJSON
      )
      const said = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      return send({ response: { ...said.toJSON() } })
    },
    onDone: done,
    isQuiet: true
  })
  const error = byPassword.error ?? byPasskey.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        byPasskey.reset()
        byPassword.mutate()
      }}
    >
      <Stack>
        <Text size="sm">
          You signed in a while ago. How you sign in, which keys act as you, and who else is let in is decided
          only by you.
        </Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          maxLength={200}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        {error ? (
          <Alert variant="light" color="red" role="alert">
            {error instanceof Error ? error.message : String(error)}
          </Alert>
        ) : null}
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<Fingerprint size={16} aria-hidden />}
            loading={byPasskey.isPending}
            onClick={() => {
              byPassword.reset()
              byPasskey.mutate()
            }}
          >
            Use a passkey
          </Button>
          <Button type="submit" loading={byPassword.isPending} disabled={password === ''}>
            Confirm
          </Button>
        </Group>
        {address && (
          <Anchor size="sm" href={address}>
            Sign in once more instead
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
