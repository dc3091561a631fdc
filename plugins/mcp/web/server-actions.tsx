import { Button } from '@mantine/core'
import { api, useAction } from 'agent-platform/console'
import { Plug, RefreshCw, Unplug } from 'lucide-react'
import type { Server } from './queries.ts'

/** Connecting, discovering anew, and leaving. */
export function ServerActions(props: { server: Server; onAuthorize: (url: string | null) => void }) {
  const { server, onAuthorize } = props
  const params = { path: { serverId: server.id } }
  const changes = [['mcp'], ['tools']]
  const connecting = useAction({
    run: () => api.post('/v1/mcp/servers/{serverId}/connect', { params, idempotencyKey: false }),
    changes,
    done: ({ data: { status } }) => (status === 'connected' ? 'Connected' : undefined),
    onDone: ({ data }) => onAuthorize(data.authorizationUrl)
  })
  const syncing = useAction({
    run: () => api.post('/v1/mcp/servers/{serverId}/sync', { params, body: null }),
    changes,
    done: ({ data: { tools, added, changed, gone, pending } }) =>
      `${tools} tools: ${added} new, ${changed} changed, ${gone} gone; ${pending} wait for approval`
  })
  const disconnecting = useAction({
    run: () => api.post('/v1/mcp/servers/{serverId}/disconnect', { params }),
    changes,
    done: 'Disconnected: its tools cannot be called'
  })
  if (server.status !== 'connected')
    return (
      <Button
        leftSection={<Plug size={16} aria-hidden />}
        onClick={() => connecting.mutate()}
        loading={connecting.isPending}
      >
        Connect
      </Button>
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<RefreshCw size={16} aria-hidden />}
        onClick={() => syncing.mutate()}
        loading={syncing.isPending}
      >
        Refresh
      </Button>
      <Button
        variant="default"
        leftSection={<Unplug size={16} aria-hidden />}
        onClick={() => disconnecting.mutate()}
        loading={disconnecting.isPending}
      >
        Disconnect
      </Button>
    </>
  )
}
