import { api, definePage, findable } from 'agent-platform/console'
import { CircleUser, FolderKanban } from 'lucide-react'

export default definePage({
  title: 'Projects',
  navigation: { section: 'Operate', order: 28, icon: FolderKanban, to: '/projects' },
  routes: {
    '/projects': () => import('./project-list.tsx'),
    '/projects/:projectId': () => import('./project-page.tsx'),
    '/people': () => import('./person-list.tsx'),
    '/account': () => import('./account.tsx')
  },
  commands: [
    { label: 'People', description: 'Who may sign in: for operators', to: '/people' },
    { label: 'New project', description: 'With members and keys of its own', to: '/projects?new' },
    { label: 'Your account', description: 'Who you are, how you sign in, and where you have', to: '/account' }
  ],
  account: {
    load: () => import('./signed-in.tsx'),
    entries: [
      { label: 'Your account', to: '/account', icon: CircleUser },
      { label: 'Projects', to: '/projects', icon: FolderKanban }
    ]
  },
  finds: [
    findable(
      'Project',
      ({ query: { limit }, signal }) => api.get('/v1/projects', { params: { query: { limit } }, signal }),
      ({ id, name }) => ({ label: name, to: `/projects/${id}` }),
      { isSearched: false }
    )
  ]
})
