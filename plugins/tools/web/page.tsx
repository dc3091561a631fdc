import { api, definePage, findable } from 'agent-platform/console'
import { Wrench } from 'lucide-react'

export default definePage({
  title: 'Tools',
  navigation: { section: 'Build', order: 10, icon: Wrench, to: '/tools' },
  routes: {
    '/tools': () => import('./tool-list.tsx'),
    '/tools/calls': () => import('./call-list.tsx'),
    '/tools/:name/:tab?': () => import('./tool-page.tsx'),
    '/tool-keys': () => import('./key-list.tsx'),
    '/tool-keys/:keyId': () => import('./key-page.tsx')
  },
  commands: [
    { label: 'New tool', description: 'Make an HTTP service a tool', to: '/tools?new' },
    { label: 'Tool keys', description: 'Credentials that tools are called with', to: '/tool-keys' },
    { label: 'Calls of tools', description: 'What tools were called for', to: '/tools/calls' }
  ],
  agentTabs: [{ key: 'tools', title: 'Tools', order: 20, load: () => import('./agent-tools.tsx') }],
  finds: [
    findable(
      'Tool',
      ({ query, signal }) => api.get('/v1/tool-permissions/accessible-tools', { params: { query }, signal }),
      ({ name, description }) => ({ label: name, description, to: `/tools/${encodeURIComponent(name)}` })
    ),
    findable(
      'Tool key',
      ({ query, signal }) => api.get('/v1/tool-keys', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/tool-keys/${id}` })
    )
  ]
})
