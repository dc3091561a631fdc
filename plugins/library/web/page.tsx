import { api, definePage, findable } from 'agent-platform/console'
import { Library } from 'lucide-react'

export default definePage({
  title: 'Library',
  navigation: { section: 'Knowledge', order: 10, icon: Library, to: '/library' },
  routes: {
    '/library': () => import('./item-list.tsx'),
    '/library/:itemId/:tab?': () => import('./item-page.tsx')
  },
  commands: [{ label: 'Upload files', description: 'Add files to the library', to: '/library?upload=1' }],
  finds: [
    findable(
      'File',
      ({ query: { limit, query: q }, signal }) =>
        api.get('/v1/library', { params: { query: { limit, q } }, signal }),
      ({ id, name, mediaType }) => ({ label: name, description: mediaType, to: `/library/${id}` })
    )
  ]
})
