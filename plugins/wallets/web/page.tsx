import { api, definePage, findable } from 'agent-platform/console'
import { Wallet } from 'lucide-react'

export default definePage({
  title: 'Wallets',
  navigation: { section: 'Operate', order: 42, icon: Wallet, to: '/wallets' },
  routes: {
    '/wallets': () => import('./wallet-list.tsx'),
    '/wallets/:walletId': () => import('./wallet-page.tsx')
  },
  commands: [{ label: 'New wallet', description: 'By which an agent pays', to: '/wallets?new=wallet' }],
  agentTabs: [{ key: 'wallets', title: 'Wallets', order: 60, load: () => import('./agent-wallets.tsx') }],
  finds: [
    findable(
      'Wallet',
      ({ query, signal }) => api.get('/v1/wallets', { params: { query }, signal }),
      ({ id, name, address, network }) => ({
        label: name ?? address,
        description: `${network} ${address}`,
        to: `/wallets/${id}`
      })
    )
  ]
})
