import { api, definePage, findable } from 'agent-platform/console'
import { FlaskConical } from 'lucide-react'

export default definePage({
  title: 'Evaluations',
  navigation: { section: 'Build', order: 31, icon: FlaskConical, to: '/evaluations' },
  routes: {
    '/evaluations': () => import('./dataset-list.tsx'),
    '/evaluations/datasets/:datasetId/:tab?': () => import('./dataset-page.tsx'),
    '/evaluations/experiments/:experimentId': () => import('./experiment-page.tsx'),
    '/evaluations/compare': () => import('./comparison-page.tsx')
  },
  commands: [
    {
      label: 'New dataset',
      description: 'Questions and the answers that are expected',
      to: '/evaluations?new=1'
    }
  ],
  answerActions: [{ key: 'thumbs', order: 10, load: () => import('./answer-thumbs.tsx') }],
  runPanels: [{ key: 'feedback', title: 'Feedback', order: 40, load: () => import('./run-feedback.tsx') }],
  finds: [
    findable(
      'Dataset',
      ({ query, signal }) => api.get('/v1/evaluations/datasets', { params: { query }, signal }),
      ({ id, name, description }) => ({ label: name, description, to: `/evaluations/datasets/${id}` })
    )
  ]
})
