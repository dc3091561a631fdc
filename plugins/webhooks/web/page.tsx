import { definePage } from 'agent-platform/console'
import { Webhook } from 'lucide-react'

export default definePage({
  title: 'Webhooks',
  navigation: { section: 'Build', order: 29, icon: Webhook, to: '/webhooks' },
  routes: {
    '/webhooks': () => import('./webhook-list.tsx'),
    '/webhooks/:webhookId': () => import('./webhook-page.tsx')
  },
  commands: [
    { label: 'New webhook', description: 'A program elsewhere is told what happened', to: '/webhooks?new=1' }
  ]
})
