import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Code projects',
  agentTabs: [{ key: 'projects', title: 'Projects', order: 34, load: () => import('./agent-projects.tsx') }]
})
