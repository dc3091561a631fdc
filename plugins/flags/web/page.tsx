import { definePage } from 'agent-platform/console'
import { Flag } from 'lucide-react'

export default definePage({
  title: 'Flags',
  navigation: { section: 'Operate', order: 70, icon: Flag, to: '/flags' },
  routes: { '/flags': () => import('./flag-list.tsx') },
  commands: [{ label: 'Feature flags', description: 'What is on, and why', to: '/flags' }]
})
