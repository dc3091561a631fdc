import { definePack } from 'agent-platform'
import { createOutgoingConnections } from './connections.ts'
import { createOutgoingService } from './service.ts'
import { OutgoingSettings } from './settings.ts'

/** Connections to addresses that users name: to none that only this machine or its network reaches. */
export default definePack({
  name: 'outgoing',
  area: 'Platform',
  summary: 'guarded outbound requests to user-supplied addresses (SSRF protection)',
  settings: OutgoingSettings,
  services: { outgoingConnections: createOutgoingConnections, outgoingService: createOutgoingService },
  exports: ({ outgoingService }) => outgoingService,
  start: ({ outgoingConnections }) => outgoingConnections.open()
})
