import { AppShell, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure, useReducedMotion } from '@mantine/hooks'
import { Unplug } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Boundary } from '../kit/boundary.tsx'
import { componentOf, PagesContext } from '../kit/contributions.tsx'
import { EmptyState } from '../kit/empty-state.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageFrame } from '../kit/page-frame.tsx'
import { useSession } from '../kit/session.tsx'
import { Home } from './home.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { pagesOf } from './pages.ts'
import classes from './shell.module.css'
import { Account, PaletteButton } from './tools.tsx'

const Palette = lazy(() => import('./palette.tsx'))

/** Navigation beside the page that is open. */
export function Shell() {
  const session = useSession()
  const pages = useMemo(() => pagesOf(session), [session])
  const [isOpen, { toggle, close }] = useDisclosure()
  const isStill = useReducedMotion()
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a phone closes when a page is chosen
  useEffect(close, [path])

  const routes = pages.flatMap(({ routes = {} }) => Object.entries(routes))
  return (
    <PagesContext value={pages}>
      <a href="#page" className={classes.skip}>
        Skip to the page
      </a>
      <AppShell
        layout="alt"
        header={{ height: { base: 52, sm: 0 } }}
        navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', sm: 'xl' }}
        transitionDuration={isStill ? 0 : 200}
      >
        <AppShell.Header hiddenFrom="sm" px="md">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="xs" wrap="nowrap">
              <Burger
                opened={isOpen}
                onClick={toggle}
                size="sm"
                aria-label="Navigation"
                aria-expanded={isOpen}
              />
              <Logo />
            </Group>
            <PaletteButton isCompact />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} aria-label="Main">
          <AppShell.Section p="md" pb="xs">
            <Group justify="space-between" wrap="nowrap">
              <Link href="/" className={classes.home}>
                <Logo />
              </Link>
              <Burger opened onClick={close} size="sm" hiddenFrom="sm" aria-label="Close the navigation" />
            </Group>
          </AppShell.Section>
          <AppShell.Section px="md" pb="xs" visibleFrom="sm">
            <PaletteButton />
          </AppShell.Section>
          <AppShell.Section grow component={ScrollArea} px="xs">
            <Navigation pages={pages} />
          </AppShell.Section>
          <AppShell.Section p="xs" className={classes.account}>
            <Account />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
          <Boundary key={path}>
            <Suspense fallback={<Loaded query={loading}>{() => null}</Loaded>}>
              <Switch>
                <Route path="/" component={Home} />
                {routes.map(([path, load]) => (
                  <Route key={path} path={path} component={componentOf(load)} />
                ))}
                <Route>
                  <PageFrame title="No such page">
                    <EmptyState icon={Unplug} title="There is no page here">
                      The address is wrong, or the pack that this page belongs to is disabled.
                    </EmptyState>
                  </PageFrame>
                </Route>
              </Switch>
            </Suspense>
          </Boundary>
        </AppShell.Main>
      </AppShell>
      <Suspense>
        <Palette pages={pages} />
      </Suspense>
    </PagesContext>
  )
}

const loading = { data: undefined, error: null, refetch: () => undefined }
