import { definePage } from 'agent-platform/console'
import { Cable } from 'lucide-react'

export default definePage({
  title: 'Providers',
  navigation: { section: 'Operate', order: 12, icon: Cable, to: '/providers' },
  routes: { '/providers': () => import('./provider-list.tsx') },
  commands: [{ label: 'Providers', description: 'What serves each capability', to: '/providers' }]
})
