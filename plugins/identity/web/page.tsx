import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'People and projects',
  routes: { '/account': () => import('./account.tsx') },
  commands: [{ label: 'Your account', description: 'Who you are, and your passkeys', to: '/account' }]
})
