import { definePage } from 'agent-platform/console'
import { Blocks } from 'lucide-react'

export default definePage({
  title: 'Packs',
  scope: 'platform:admin',
  navigation: { section: 'Operate', order: 10, icon: Blocks, to: '/packs' },
  routes: {
    '/packs': () => import('./pack-list.tsx'),
    '/packs/changes': () => import('./change-list.tsx'),
    '/packs/:name/:tab?': () => import('./pack-page.tsx')
  },
  commands: [
    { label: 'Changes of packs', description: 'What was enabled, configured, …', to: '/packs/changes' }
  ],
  homeCards: [
    { key: 'wellbeing', order: 0, isForAll: true, load: () => import('./wellbeing.tsx') },
    { key: 'instances', order: 20, load: () => import('./instances.tsx') }
  ]
})
