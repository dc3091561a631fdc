import { Center, Container, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ErrorNotice } from '../kit/error-notice.tsx'
import { SessionProvider, useSessionQuery } from '../kit/session.tsx'
import { preloadAt } from './pages.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

/** The console for a caller who is signed in; where to sign in for others. */
export function Entrance() {
  const session = useSessionQuery()
  const [path] = useLocation()
  // While it is asked who signs in.
  const [page] = useState(() => preloadAt(path))
  const [isPageThere, setIsPageThere] = useState(!page)
  useEffect(() => void page?.then(() => setIsPageThere(true)), [page])
  if (session.error && !session.data)
    return (
      <Container size="xs" py={96}>
        <ErrorNotice error={session.error} retry={() => session.refetch()} />
      </Container>
    )
  if (!session.data || !isPageThere)
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  // A link that signs in may be used, also while another session lasts.
  const { principal, signInMethods } = session.data
  if (!principal || path === '/sign-in')
    return (
      <SignIn signedInAs={principal?.id} signInMethods={signInMethods} onDone={() => session.refetch()} />
    )
  return (
    <SessionProvider session={session.data}>
      <Shell />
    </SessionProvider>
  )
}
