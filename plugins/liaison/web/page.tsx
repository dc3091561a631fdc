import { definePage } from 'agent-platform/console'
import { Handshake } from 'lucide-react'

export default definePage({
  title: 'Liaisons',
  navigation: { section: 'Build', order: 27, icon: Handshake, to: '/liaisons' },
  routes: {
    '/liaisons': () => import('./liaison-list.tsx'),
    '/liaisons/:liaisonId': () => import('./liaison-page.tsx')
  },
  commands: [{ label: 'New liaison', description: 'An agent for outsiders', to: '/liaisons?new=1' }]
})
