import { api, definePage, findable } from 'agent-platform/console'
import { UsersRound } from 'lucide-react'

export default definePage({
  title: 'Spaces',
  navigation: { section: 'Work', order: 25, icon: UsersRound, to: '/spaces' },
  routes: {
    '/spaces': () => import('./space-list.tsx'),
    '/spaces/:spaceId': () => import('./space-page.tsx')
  },
  commands: [{ label: 'New shared space', description: 'A room of people and agents', to: '/spaces?new=1' }],
  finds: [
    findable(
      'Space',
      ({ query, signal }) => api.get('/v1/spaces', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/spaces/${id}` })
    )
  ]
})
