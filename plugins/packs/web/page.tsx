import { api, definePage, findable } from 'agent-platform/console'
import { Package } from 'lucide-react'

export default definePage({
  title: 'Packs',
  scope: 'platform:admin',
  navigation: { section: 'Operate', order: 10, icon: Package, to: '/packs' },
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
  ],
  finds: [
    findable(
      'Pack',
      ({ signal }) => api.get('/v1/packs', { signal }),
      ({ name, summary }) => ({ label: name, description: summary, to: `/packs/${name}` }),
      { isSearched: false }
    )
  ]
})
