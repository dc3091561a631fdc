import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import type {} from '../sessions/contract.ts'
import { cancelCapability, createCapability, listCapability } from './capabilities.ts'
import { taskRunRoutes } from './routes/runs.ts'
import { taskRoutes } from './routes/tasks.ts'
import { createAdmissions } from './services/admissions.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createBeats } from './services/beats.ts'
import { createBeginnings } from './services/beginnings.ts'
import { createDefinitionCheck } from './services/definition.ts'
import { createFirstRuns } from './services/first-runs.ts'
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
  summary: 'tasks for agents and workflows: once, on a schedule or on demand',
  requires: ['agents', 'jobs', 'runs', 'sessions'],
  uses: ['workflows'],
  settings: TaskSettings,
  services: {
    taskStore: createTaskStore,
    runStore: createRunStore,
    firstRuns: createFirstRuns,
    stops: createStops,
    definitionCheck: createDefinitionCheck,
    taskService: createTaskService,
    admissions: createAdmissions,
    progress: createProgress,
    outcomes: createOutcomes,
    beats: createBeats,
    beginnings: createBeginnings,
    taskRunService: createTaskRunService,
    removals: createRemovals,
    archivePart: createArchivePart
  },
  routes(app, deps) {
    taskRoutes(app, deps)
    taskRunRoutes(app, deps)
  },
  contributes: {
    // Behind sessions and workflows, which tasks name.
    'archives.part': [{ order: 60, make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'tasks.create', make: createCapability },
      { key: 'tasks.list', make: listCapability },
      { key: 'tasks.cancel', make: cancelCapability }
    ],
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
    'runs.suspended': { batch: ({ outcomes }) => outcomes.runsRest('waiting') },
    'runs.resumed': { batch: ({ outcomes }) => outcomes.runsRest('running') },
    'runs.completed': { batch: ({ outcomes }) => outcomes.runsEnded('completed') },
    'runs.failed': { batch: ({ outcomes }) => outcomes.runsEnded('failed') },
    'runs.cancelled': { batch: ({ outcomes }) => outcomes.runsEnded('cancelled') },
    'workflows.suspended': { batch: ({ outcomes }) => outcomes.executionsRest('waiting') },
    'workflows.resumed': { batch: ({ outcomes }) => outcomes.executionsRest('running') },
    'workflows.completed': { batch: ({ outcomes }) => outcomes.executionsEnded('completed') },
    'workflows.failed': { batch: ({ outcomes }) => outcomes.executionsEnded('failed') },
    'workflows.cancelled': { batch: ({ outcomes }) => outcomes.executionsEnded('cancelled') },
    'sessions.deleted':
      ({ taskRunService }) =>
      ({ project, data: { id } }, trx) =>
        taskRunService.sessionDeleted(trx, project, id)
  }
})
