import { api, definePage, findable } from 'agent-platform/console'
import { Workflow } from 'lucide-react'

export default definePage({
  title: 'Workflows',
  navigation: { section: 'Build', order: 10, icon: Workflow, to: '/workflows' },
  routes: {
    '/workflows': () => import('./workflow-list.tsx'),
    '/workflows/waiting': () => import('./waiting-page.tsx'),
    '/workflows/:workflowId/versions/:version': () => import('./version-page.tsx'),
    '/workflows/:workflowId/executions/:executionId': () => import('./execution-page.tsx'),
    '/workflows/:workflowId/:tab?': () => import('./workflow-page.tsx')
  },
  waiting: [{ key: 'workflows', order: 10, load: () => import('./waiting-home.tsx') }],
  commands: [
    { label: 'New workflow', description: 'Steps of agents, tools and people', to: '/workflows?new' },
    { label: 'Workflows that wait for me', description: 'Approvals and events', to: '/workflows/waiting' }
  ],
  finds: [
    findable(
      'Workflow',
      ({ query, signal }) => api.get('/v1/workflows', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/workflows/${id}` })
    )
  ]
})
