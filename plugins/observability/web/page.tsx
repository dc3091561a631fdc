import { definePage } from 'agent-platform/console'
import { ChartColumn } from 'lucide-react'

export default definePage({
  title: 'Observability',
  navigation: { section: 'Operate', order: 30, icon: ChartColumn, to: '/observability' },
  routes: { '/observability': () => import('./observability.tsx') },
  commands: [
    { label: 'Usage', description: 'Tokens and cost by agent and day', to: '/observability' },
    { label: 'Activity', description: 'Who did what, live', to: '/observability?tab=activity' },
    { label: 'Audit log', description: 'Who administered what', to: '/observability?tab=audit' }
  ],
  agentTabs: [{ key: 'traces', title: 'Traces', order: 46, load: () => import('./agent-traces.tsx') }]
})
