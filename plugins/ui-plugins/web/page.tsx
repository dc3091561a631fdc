import { api, definePage, findable } from 'agent-platform/console'
import { Blocks } from 'lucide-react'

export default definePage({
  title: 'Apps',
  navigation: { section: 'Build', order: 40, icon: Blocks, to: '/apps' },
  routes: {
    '/apps': () => import('./app-list.tsx'),
    '/apps/:pluginId/pages/:page': () => import('./app-frame.tsx'),
    '/apps/:pluginId/:tab?': () => import('./app-page.tsx')
  },
  commands: [{ label: 'Install an app', description: 'From its built files', to: '/apps?new' }],
  finds: [
    findable(
      'App',
      ({ query: { limit }, signal }) => api.get('/v1/ui-plugins', { params: { query: { limit } }, signal }),
      ({ pluginId, name, description }) => ({ label: name, description, to: `/apps/${pluginId}` }),
      { isSearched: false }
    )
  ]
})
