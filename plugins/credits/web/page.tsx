import { definePage } from 'agent-platform/console'
import { Coins } from 'lucide-react'

export default definePage({
  title: 'Credits',
  navigation: { section: 'Operate', order: 40, icon: Coins, to: '/credits' },
  routes: { '/credits': () => import('./credits.tsx') },
  commands: [
    { label: 'Spending', description: 'Balance, ledger, spend caps', to: '/credits' },
    { label: 'Gift credits', description: 'To someone of the project', to: '/credits?tab=gifts' }
  ],
  runFacts: [{ key: 'cost', order: 10, load: () => import('./run-cost.tsx') }],
  homeCards: [{ key: 'spending', order: 60, isForAll: true, load: () => import('./spending-card.tsx') }]
})
