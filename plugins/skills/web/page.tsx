import { api, definePage, findable } from 'agent-platform/console'
import { GraduationCap } from 'lucide-react'

export default definePage({
  title: 'Skills',
  navigation: { section: 'Build', order: 20, icon: GraduationCap, to: '/skills' },
  routes: {
    '/skills': () => import('./skill-list.tsx'),
    '/skills/:skillId/:tab?': () => import('./skill-page.tsx')
  },
  commands: [
    { label: 'New skill', description: 'Write a skill', to: '/skills?new=1' },
    { label: 'Import a skill', description: 'From a SKILL.md or an archive', to: '/skills?import=1' }
  ],
  agentTabs: [{ key: 'skills', title: 'Skills', order: 25, load: () => import('./agent-skills.tsx') }],
  finds: [
    findable(
      'Skill',
      ({ query, signal }) => api.get('/v1/skills', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/skills/${id}` })
    )
  ]
})
