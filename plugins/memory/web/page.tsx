import { definePage } from 'agent-platform/console'
import { Brain } from 'lucide-react'

export default definePage({
  title: 'Memories',
  navigation: { section: 'Knowledge', order: 30, icon: Brain, to: '/memories' },
  routes: {
    '/memories': () => import('./memories-page.tsx'),
    '/memories/scopes/:scopeId': () => import('./scope-page.tsx'),
    '/memories/:memoryId': () => import('./memory-page.tsx')
  },
  agentTabs: [{ key: 'memories', title: 'Memories', order: 35, load: () => import('./agent-memories.tsx') }]
})
