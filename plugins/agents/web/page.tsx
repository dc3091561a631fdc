import { api, definePage, findable } from 'agent-platform/console'
import { Bot } from 'lucide-react'

export default definePage({
  title: 'Agents',
  navigation: { section: 'Work', order: 10, icon: Bot, to: '/agents' },
  routes: {
    '/agents': () => import('./agent-list.tsx'),
    '/agents/:agentId/:tab?': () => import('./agent-page.tsx')
  },
  commands: [{ label: 'New agent', description: 'Create an agent', to: '/agents?new' }],
  agentTabs: [{ key: 'settings', title: 'Settings', order: 100, load: () => import('./agent-settings.tsx') }],
  finds: [
    findable(
      'Agent',
      ({ query, signal }) => api.get('/v1/agents', { params: { query }, signal }),
      ({ id, name }) => ({ label: name, to: `/agents/${id}` })
    )
  ]
})
