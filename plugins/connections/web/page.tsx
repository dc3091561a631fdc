import { api, definePage, findable } from 'agent-platform/console'
import { Link2 } from 'lucide-react'

export default definePage({
  title: 'Connections',
  navigation: { section: 'Build', order: 30, icon: Link2, to: '/connections' },
  routes: {
    '/connections': () => import('./connection-list.tsx'),
    '/connections/:connectionId': () => import('./connection-page.tsx')
  },
  commands: [{ label: 'Connect a service', description: 'GitHub, Google, Slack …', to: '/connections?new' }],
  finds: [
    findable(
      'Connection',
      ({ query, signal }) => api.get('/v1/oauth/connections', { params: { query }, signal }),
      ({ id, name, account }) => ({ label: name, description: account, to: `/connections/${id}` })
    )
  ]
})
