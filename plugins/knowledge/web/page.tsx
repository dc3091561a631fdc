import { api, definePage, findable } from 'agent-platform/console'
import { BookOpen } from 'lucide-react'

export default definePage({
  title: 'Knowledge',
  navigation: { section: 'Knowledge', order: 20, icon: BookOpen, to: '/knowledge' },
  routes: {
    '/knowledge': () => import('./space-list.tsx'),
    '/knowledge/:spaceId/documents/:documentId': () => import('./document-page.tsx'),
    '/knowledge/:spaceId/:tab?': () => import('./space-page.tsx')
  },
  commands: [{ label: 'New space', description: 'Create a space of documents', to: '/knowledge?new=1' }],
  agentTabs: [
    { key: 'knowledge', title: 'Knowledge', order: 30, load: () => import('./agent-knowledge.tsx') }
  ],
  finds: [
    findable(
      'Knowledge',
      ({ query, signal }) => api.get('/v1/knowledge', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/knowledge/${id}` })
    )
  ]
})
