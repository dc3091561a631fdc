import { definePage } from 'agent-platform/console'
import { Waypoints } from 'lucide-react'

export default definePage({
  title: 'Remote agents',
  navigation: { section: 'Build', order: 25, icon: Waypoints, to: '/remote-agents' },
  routes: { '/remote-agents': () => import('./remote-list.tsx') },
  commands: [
    { label: 'Add a remote agent', description: 'By the Agent2Agent protocol', to: '/remote-agents?new' }
  ],
  agentTabs: [
    { key: 'peers', title: 'Peers', order: 55, load: () => import('./agent-peers.tsx') },
    { key: 'publish', title: 'Publish', order: 60, load: () => import('./agent-publication.tsx') }
  ]
})
