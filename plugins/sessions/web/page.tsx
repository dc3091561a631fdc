import { api, definePage, findable } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'

export default definePage({
  title: 'Sessions',
  navigation: { section: 'Work', order: 20, icon: MessagesSquare, to: '/sessions' },
  routes: {
    '/sessions': () => import('./session-list.tsx'),
    '/sessions/:sessionId': () => import('./session-page.tsx')
  },
  finds: [
    findable(
      'Session',
      ({ principalId: initiator, query, signal }) =>
        api.get('/v1/sessions/user/{initiator}', { params: { path: { initiator }, query }, signal }),
      ({ id, title }) => ({ label: title || 'Untitled', to: `/sessions/${id}` })
    )
  ]
})
