import { definePack } from 'agent-platform'
import type {} from '../sessions/contract.ts'
import { taskRunRoutes } from './routes/runs.ts'
import { taskRoutes } from './routes/tasks.ts'
import { createAdmissions } from './services/admissions.ts'
import { createBeats } from './services/beats.ts'
import { createBeginnings } from './services/beginnings.ts'
import { createDefinitionCheck } from './services/definition.ts'
import { createOutcomes } from './services/outcomes.ts'
import { createProgress } from './services/progress.ts'
import { createRemovals } from './services/removals.ts'
import { createTaskRunService } from './services/runs.ts'
import { createStops } from './services/stops.ts'
import { createTaskService } from './services/tasks.ts'
import { TaskSettings } from './settings.ts'
import { createRunStore } from './stores/runs.ts'
import { createTaskStore } from './stores/tasks.ts'

/** Tasks: what agents and workflows do once, on a schedule, or on demand. */
export default definePack({
  name: 'tasks',
  area: 'Work',
  summary: 'what agents and workflows do: once, on a schedule, or on demand',
  requires: ['agents', 'jobs', 'runs', 'sessions'],
  uses: ['workflows'],
  settings: TaskSettings,
  services: {
    taskStore: createTaskStore,
    runStore: createRunStore,
    stops: createStops,
    definitionCheck: createDefinitionCheck,
    taskService: createTaskService,
    admissions: createAdmissions,
    progress: createProgress,
    outcomes: createOutcomes,
    beats: createBeats,
    beginnings: createBeginnings,
    taskRunService: createTaskRunService,
    removals: createRemovals
  },
  routes(app, deps) {
    taskRoutes(app, deps)
    taskRunRoutes(app, deps)
  },
  contributes: {
    'jobs.worker': [
      { key: 'tasks.due', make: ({ beats }) => beats.worker },
      { key: 'tasks.begin', make: ({ beginnings }) => beginnings.worker },
      { key: 'tasks.overdue', make: ({ beginnings }) => beginnings.overdue },
      { key: 'tasks.stop', make: ({ stops }) => stops.worker }
    ]
  },
  cascade: {
    'agents.deleted': { task: ({ removals }) => removals.removeOfAgent },
    'tasks.deleted': { run: ({ removals }) => removals.removeOfTask }
  },
  on: {
    'runs.suspended':
      ({ outcomes }) =>
      ({ project, data: { runId } }, trx) =>
        outcomes.setStatus(trx, project, { runId }, 'waiting'),
    'runs.resumed':
      ({ outcomes }) =>
      ({ project, data: { runId } }, trx) =>
        outcomes.setStatus(trx, project, { runId }, 'running'),
    'runs.completed':
      ({ outcomes }) =>
      ({ project, data }, trx) =>
        outcomes.runEnded(trx, project, data, 'completed'),
    'runs.failed':
      ({ outcomes }) =>
      ({ project, data }, trx) =>
        outcomes.runEnded(trx, project, data, 'failed', data.code),
    'runs.cancelled':
      ({ outcomes }) =>
      ({ project, data }, trx) =>
        outcomes.runEnded(trx, project, data, 'cancelled'),
    'workflows.suspended':
      ({ outcomes }) =>
      ({ project, data: { executionId } }, trx) =>
        outcomes.setStatus(trx, project, { executionId }, 'waiting'),
    'workflows.resumed':
      ({ outcomes }) =>
      ({ project, data: { executionId } }, trx) =>
        outcomes.setStatus(trx, project, { executionId }, 'running'),
    'workflows.completed':
      ({ outcomes }) =>
      ({ project, data: { executionId } }, trx) =>
        outcomes.executionEnded(trx, project, executionId, 'completed'),
    'workflows.failed':
      ({ outcomes }) =>
      ({ project, data: { executionId, code } }, trx) =>
        outcomes.executionEnded(trx, project, executionId, 'failed', {
          code,
          message: 'The execution failed'
        }),
    'workflows.cancelled':
      ({ outcomes }) =>
      ({ project, data: { executionId } }, trx) =>
        outcomes.executionEnded(trx, project, executionId, 'cancelled'),
    'sessions.deleted':
      ({ taskRunService }) =>
      ({ project, data: { id } }, trx) =>
        taskRunService.sessionDeleted(trx, project, id)
  }
})
