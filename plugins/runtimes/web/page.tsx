import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Runtimes',
  agentTabs: [{ key: 'runtime', title: 'Runtime', order: 44, load: () => import('./agent-runtime.tsx') }]
})
