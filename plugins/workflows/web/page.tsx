import { definePage } from 'agent-platform/console'
import { Workflow } from 'lucide-react'

export default definePage({
  title: 'Workflows',
  navigation: { section: 'Build', order: 10, icon: Workflow, to: '/workflows' },
  routes: {
    '/workflows': () => import('./workflow-list.tsx'),
    '/workflows/:workflowId/executions/:executionId': () => import('./execution-page.tsx'),
    '/workflows/:workflowId/:tab?': () => import('./workflow-page.tsx')
  },
  commands: [
    { label: 'New workflow', description: 'Steps of agents, tools and people', to: '/workflows?new' }
  ]
})
