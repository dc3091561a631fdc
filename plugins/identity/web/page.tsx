import { definePage } from 'agent-platform/console'
import { FolderKanban } from 'lucide-react'

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
    { label: 'New project', description: 'With members and keys of its own', to: '/projects?new' },
    { label: 'Your account', description: 'Who you are, and your passkeys', to: '/account' }
  ]
})
