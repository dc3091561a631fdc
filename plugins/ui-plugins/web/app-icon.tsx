import { Avatar } from '@mantine/core'
import { baseUrl } from 'agent-platform/console'
import { Blocks } from 'lucide-react'
import type { App } from './queries.ts'

/** An app's picture, where it has one. */
export const AppIcon = ({ app: { pluginId, icon }, size = 36 }: { app: App; size?: number }) => (
  <Avatar
    src={icon && `${baseUrl}/v1/ui-plugins/${encodeURIComponent(pluginId)}/icon?${icon.slice(0, 8)}`}
    size={size}
    radius="md"
    alt=""
    aria-hidden
  >
    <Blocks size={size / 2} />
  </Avatar>
)
