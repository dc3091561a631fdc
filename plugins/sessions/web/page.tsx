import { definePage } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'

export default definePage({
  title: 'Sessions',
  navigation: { section: 'Work', order: 20, icon: MessagesSquare, to: '/sessions' },
  routes: {
    '/sessions': () => import('./session-list.tsx'),
    '/sessions/:sessionId': () => import('./session-page.tsx')
  }
})
