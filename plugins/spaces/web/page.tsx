import { definePage } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'

export default definePage({
  title: 'Spaces',
  navigation: { section: 'Work', order: 25, icon: MessagesSquare, to: '/spaces' },
  routes: {
    '/spaces': () => import('./space-list.tsx'),
    '/spaces/:spaceId': () => import('./space-page.tsx')
  },
  commands: [{ label: 'New shared space', description: 'A room of people and agents', to: '/spaces?new=1' }]
})
