import { api, definePage, findable } from 'agent-platform/console'
import { Cpu } from 'lucide-react'

export default definePage({
  title: 'Models',
  navigation: { section: 'Operate', order: 20, icon: Cpu, to: '/models' },
  routes: {
    '/models': () => import('./models-page.tsx'),
    '/models/providers/:provider': () => import('./provider-page.tsx')
  },
  finds: [
    findable(
      'Model provider',
      ({ query: { limit }, signal }) =>
        api.get('/v1/models/providers', { params: { query: { limit } }, signal }),
      ({ id, name }) => ({ label: name, to: `/models/providers/${id}` }),
      { isSearched: false }
    )
  ]
})
