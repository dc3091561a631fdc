import { definePage } from 'agent-platform/console'
import { KeyRound } from 'lucide-react'

export default definePage({
  title: 'API keys',
  navigation: { section: 'Operate', order: 30, icon: KeyRound, to: '/api-keys' },
  routes: { '/api-keys': () => import('./key-list.tsx') },
  commands: [{ label: 'New API key', description: 'Create a key of your own', to: '/api-keys?new' }]
})
