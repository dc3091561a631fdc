import { definePage } from 'agent-platform/console'

export default definePage({
  title: 'Provenance',
  runPanels: [
    { key: 'provenance', title: 'What it was made of', order: 50, load: () => import('./run-provenance.tsx') }
  ],
  sessionTabs: [
    { key: 'provenance', title: 'Provenance', order: 50, load: () => import('./session-provenance.tsx') }
  ]
})
