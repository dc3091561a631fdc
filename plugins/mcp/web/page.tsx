import { api, definePage, findable } from 'agent-platform/console'
import { Plug } from 'lucide-react'

export default definePage({
  title: 'MCP servers',
  navigation: { section: 'Build', order: 20, icon: Plug, to: '/tool-servers' },
  routes: {
    '/tool-servers': () => import('./server-list.tsx'),
    '/tool-servers/:serverId': () => import('./server-page.tsx')
  },
  commands: [
    { label: 'Add an MCP server', description: 'By the Model Context Protocol', to: '/tool-servers?new' }
  ],
  finds: [
    findable(
      'MCP server',
      ({ query, signal }) => api.get('/v1/mcp/servers', { params: { query }, signal }),
      ({ id, name }) => ({ label: name, to: `/tool-servers/${id}` })
    )
  ]
})
