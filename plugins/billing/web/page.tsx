import { definePage } from 'agent-platform/console'
import { Receipt } from 'lucide-react'

export default definePage({
  title: 'Billing',
  navigation: { section: 'Operate', order: 44, icon: Receipt, to: '/billing' },
  routes: { '/billing': () => import('./billing.tsx') },
  commands: [
    { label: 'Plans', description: 'Choose or change the plan', to: '/billing' },
    { label: 'Invoices', description: 'What was paid, and what is to be', to: '/billing?tab=invoices' },
    { label: 'Buy credits', description: 'Packs beside the plan', to: '/billing?tab=credits' }
  ]
})
