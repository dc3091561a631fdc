import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Channels',
  agentTabs: [{ key: 'channels', title: 'Channels', order: 45, load: () => import('./agent-channels.tsx') }]
})
