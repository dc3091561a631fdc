import { api, definePage, findable } from 'agent-platform/console'
import { Play } from 'lucide-react'

export default definePage({
  title: 'Runs',
  navigation: { section: 'Work', order: 15, icon: Play, to: '/runs' },
  routes: {
    '/runs': () => import('./run-list.tsx'),
    '/runs/:runId': () => import('./run-page.tsx'),
    '/runs/:runId/compare/:otherId': () => import('./run-comparison.tsx')
  },
  commands: [
    { label: 'Runs that wait', description: 'For an approval, an answer, …', to: '/runs?status=waiting' },
    { label: 'Runs that failed', to: '/runs?status=failed' }
  ],
  agentTabs: [
    { key: 'chat', title: 'Chat', order: 0, load: () => import('./chat.tsx') },
    { key: 'runs', title: 'Runs', order: 10, load: () => import('./agent-runs.tsx') }
  ],
  sessionTabs: [{ key: 'runs', title: 'Runs', order: 10, load: () => import('./session-runs.tsx') }],
  waiting: [{ key: 'runs', order: 0, load: () => import('./waiting-runs.tsx') }],
  homeCards: [
    { key: 'runs.running', order: 1, load: () => import('./running-card.tsx') },
    { key: 'runs.last', order: 2, load: () => import('./last-card.tsx') }
  ],
  finds: [
    findable(
      'Run',
      ({ query, signal }) => api.get('/v1/runs', { params: { query }, signal }),
      ({ id, asked, sessionTitle, status }) => ({
        label: asked || sessionTitle || 'Untitled',
        description: status,
        to: `/runs/${id}`
      })
    )
  ]
})
