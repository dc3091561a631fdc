import { definePage } from 'agent-platform/console'
import { PackageOpen } from 'lucide-react'

export default definePage({
  title: 'Archives',
  navigation: { section: 'Build', order: 35, icon: PackageOpen, to: '/archives' },
  scope: 'agents:read',
  routes: { '/archives': () => import('./imports.tsx') },
  commands: [
    { label: 'Import an agent', description: 'Make an agent of an archive', to: '/archives?import' }
  ],
  agentTabs: [{ key: 'export', title: 'Export', order: 95, load: () => import('./agent-export.tsx') }]
})
