import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Autonomy',
  agentTabs: [{ key: 'autonomy', title: 'Autonomy', order: 42, load: () => import('./agent-autonomy.tsx') }]
})
