import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Runs',
  routes: {
    '/runs/:runId': () => import('./run-page.tsx'),
    '/runs/:runId/compare/:otherId': () => import('./run-comparison.tsx')
  },
  agentTabs: [{ key: 'chat', title: 'Chat', order: 0, load: () => import('./chat.tsx') }],
  homeCards: [
    { key: 'runs.waiting', order: 0, load: () => import('./waiting-card.tsx') },
    { key: 'runs.running', order: 1, load: () => import('./running-card.tsx') },
    { key: 'runs.last', order: 2, load: () => import('./last-card.tsx') }
  ]
})
