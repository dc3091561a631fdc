import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Computers',
  agentTabs: [{ key: 'computer', title: 'Computer', order: 44, load: () => import('./agent-computer.tsx') }]
})
