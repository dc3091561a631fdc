import { Card, Text, useComputedColorScheme } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQuery } from '@tanstack/react-query'
import { api, baseUrl, EmptyState, ErrorNotice, Loaded, PageFrame } from 'agent-platform/console'
import type { ShownPage } from 'agent-platform-app/host'
import { showPage } from 'agent-platform-app/host'
import { AppWindow } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'wouter'
import classes from './app-frame.module.css'
import { appQuery } from './queries.ts'

/** A page of an app, in a frame without an origin, that asks the platform by the bridge of the SDK. */
export default function AppFrame() {
  const { pluginId = '', page = '' } = useParams()
  const app = useQuery(appQuery(pluginId))
  const shown = app.data?.pages.find(({ name }) => name === page)
  const crumbs = [
    { label: 'Apps', to: '/apps' },
    { label: app.data?.name ?? pluginId, to: `/apps/${pluginId}` }
  ]
  return (
    <PageFrame title={shown?.title ?? page} crumbs={crumbs}>
      <Loaded query={app}>
        {({ status, enabled }) =>
          status === 'enabled' && shown ? (
            <Frame
              key={`${pluginId} ${page} ${enabled?.digest}`}
              pluginId={pluginId}
              page={page}
              title={shown.title}
            />
          ) : (
            <EmptyState icon={AppWindow} title="This page is not shown now">
              {shown ? 'The app is not enabled.' : 'The version that is enabled has no such page.'}
            </EmptyState>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function Frame({ pluginId, page, title }: { pluginId: string; page: string; title: string }) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const first = useRef(theme)
  const [shown, setShown] = useState<ShownPage>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const container = place.current
    if (!container) return
    const path = `${encodeURIComponent(pluginId)}/pages/${encodeURIComponent(page)}`
    const showing = showPage({
      client: api,
      container,
      pluginId,
      page,
      title,
      address: `${baseUrl}/v1/ui-plugins/${path}`,
      context: { theme: first.current },
      openLink
    })
    showing.then(setShown, setError)
    return () => void showing.then((it) => it.close()).catch(() => undefined)
  }, [pluginId, page, title])
  useEffect(() => shown?.setContext({ theme }), [shown, theme])
  return (
    <Card withBorder padding={0}>
      {error ? <ErrorNotice error={error} /> : null}
      <div ref={place} className={classes.place} />
    </Card>
  )
}

/** The address is the app's word: it is shown before it is followed. */
function openLink(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  modals.openConfirmModal({
    title: 'Open this address?',
    children: (
      <Text size="sm" lineClamp={6} style={{ overflowWrap: 'anywhere' }}>
        The app wants to open {url}
      </Text>
    ),
    labels: { confirm: 'Open', cancel: 'Stay here' },
    onConfirm() {
      window.open(url, '_blank', 'noopener,noreferrer')
      resolve(true)
    },
    onClose: () => resolve(false)
  })
  return promise
}
