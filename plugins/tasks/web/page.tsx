import { api, definePage, findable } from 'agent-platform/console'
import { CalendarClock } from 'lucide-react'

export default definePage({
  title: 'Tasks',
  navigation: { section: 'Work', order: 30, icon: CalendarClock, to: '/tasks' },
  routes: {
    '/tasks': () => import('./task-list.tsx'),
    '/tasks/:taskId': () => import('./task-page.tsx')
  },
  commands: [{ label: 'New task', description: 'Once, on a schedule, or on demand', to: '/tasks?new' }],
  agentTabs: [{ key: 'schedule', title: 'Schedule', order: 40, load: () => import('./agent-schedule.tsx') }],
  homeCards: [{ key: 'next-tasks', order: 40, load: () => import('./next-tasks.tsx') }],
  finds: [
    findable(
      'Task',
      ({ query, signal }) => api.get('/v1/tasks', { params: { query }, signal }),
      ({ id, title }) => ({ label: title, to: `/tasks/${id}` })
    )
  ]
})
