import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Goals',
  agentTabs: [{ key: 'goals', title: 'Goals', order: 44, load: () => import('./agent-goals.tsx') }]
})
