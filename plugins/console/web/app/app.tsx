import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ApiError } from 'agent-platform-client'
import { Router } from 'wouter'
import { basePath } from '../kit/api.ts'
import { Boundary } from '../kit/boundary.tsx'
import classes from './app.module.css'
import { Entrance } from './entrance.tsx'
import { aroundNav } from './pages.ts'
import { theme, variables } from './theme.ts'

/** What was refused is refused again; what broke off was tried again by the client already. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000 },
    mutations: { retry: false }
  }
})
/** A session that has ended shows where to sign in. */
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || query.queryKey[0] === 'session') return
  const { error } = query.state
  if (error instanceof ApiError && error.status === 401) queries.invalidateQueries({ queryKey: ['session'] })
})

export const App = ({ nonce }: { nonce: string }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={variables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queries}>
      <Router base={basePath} aroundNav={aroundNav}>
        <ModalsProvider>
          <Notifications position="top-center" containerWidth={400} classNames={{ root: classes.notices }} />
          <Boundary>
            <Entrance />
          </Boundary>
        </ModalsProvider>
      </Router>
    </QueryClientProvider>
  </MantineProvider>
)
