import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import type {} from '../identity/contract.ts'
import { cancelCapability, executeCapability, listCapability, readCapability } from './capabilities.ts'
import { createExecutionEvents } from './events/execution-events.ts'
import { createKeptEvents } from './events/kept-events.ts'
import { createArrivals } from './executions/arrivals.ts'
import { createAttempts } from './executions/attempts.ts'
import { createCancellations, EXECUTION } from './executions/cancellations.ts'
import { createDecisions } from './executions/decisions.ts'
import { createDriver } from './executions/driver.ts'
import { createEndings } from './executions/endings.ts'
import { createExecutionService } from './executions/execution-service.ts'
import { createExecutor } from './executions/executor.ts'
import { createJournalWriter, WAITER } from './executions/journal-writer.ts'
import { createLanes } from './executions/lanes.ts'
import { createLiveExecutions } from './executions/live.ts'
import { createExecutionRemovals } from './executions/removals.ts'
import { createExecutionStarts } from './executions/starts.ts'
import { createWaitingSteps } from './executions/waiting-steps.ts'
import { createStepKinds } from './kinds/step-kinds.ts'
import { executionRoutes } from './routes/executions.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { workflowRoutes } from './routes/workflows.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createDefinitionCheck } from './services/definition-check.ts'
import { createDeliveryService } from './services/deliveries.ts'
import { createForkService } from './services/forks.ts'
import { createVersionService } from './services/versions.ts'
import { createWebhookService } from './services/webhooks.ts'
import { createWorkflowService } from './services/workflows.ts'
import { WorkflowSettings } from './settings.ts'
import { createEndStore } from './stores/ends.ts'
import { createEventStore } from './stores/events.ts'
import { createExecutionTable } from './stores/execution-table.ts'
import { createExecutionStore } from './stores/executions.ts'
import { createPastExecutionStore } from './stores/past-executions.ts'
import { createPublicWorkflowStore } from './stores/public-workflows.ts'
import { createStartStore } from './stores/starts.ts'
import { createStepStore } from './stores/steps.ts'
import { createVersionStore } from './stores/versions.ts'
import { createWaitingStepStore } from './stores/waiting-steps.ts'
import { createWebhookStore } from './stores/webhooks.ts'

/** Workflows: graphs of steps that outlive processes, with people and the outside world in them. */
export default definePack({
  name: 'workflows',
  area: 'Work',
  summary: 'durable workflows: graphs of agent, tool, condition, wait and approval steps',
  requires: ['agents', 'jobs', 'runs', 'tools'],
  settings: WorkflowSettings,
  services: {
    versionStore: createVersionStore,
    publicWorkflowStore: createPublicWorkflowStore,
    webhookStore: createWebhookStore,
    definitionCheck: createDefinitionCheck,
    workflowService: createWorkflowService,
    forkService: createForkService,
    versionService: createVersionService,
    executionTable: createExecutionTable,
    executionStore: createExecutionStore,
    startStore: createStartStore,
    endStore: createEndStore,
    pastExecutionStore: createPastExecutionStore,
    stepStore: createStepStore,
    waitingStepStore: createWaitingStepStore,
    liveExecutions: createLiveExecutions,
    lanes: createLanes,
    cancellations: createCancellations,
    arrivals: createArrivals,
    eventStore: createEventStore,
    keptEvents: createKeptEvents,
    executionEvents: createExecutionEvents,
    executionStarts: createExecutionStarts,
    stepKinds: createStepKinds,
    journalWriter: createJournalWriter,
    attempts: createAttempts,
    endings: createEndings,
    driver: createDriver,
    executor: createExecutor,
    decisions: createDecisions,
    executionService: createExecutionService,
    waitingSteps: createWaitingSteps,
    executionRemovals: createExecutionRemovals,
    webhookService: createWebhookService,
    deliveryService: createDeliveryService,
    archivePart: createArchivePart
  },
  exports: ({ executionStarts, executionService, executionStore, workflowService }) => ({
    execute: executionStarts.start,
    async check(by, workflowId, param) {
      await workflowService.owned(by, workflowId, 'run', param)
    },
    states: executionStore.listStates,
    async cancel(by, executionId) {
      await executionService.requestCancel(by, executionId)
    }
  }),
  routes(app, deps) {
    workflowRoutes(app, deps)
    executionRoutes(app, deps)
    webhookRoutes(app, deps)
  },
  executions: { [EXECUTION]: ({ executor }) => executor },
  on: {
    'runs.completed': { batch: ({ arrivals }) => arrivals.ended },
    'runs.failed': { batch: ({ arrivals }) => arrivals.ended },
    'runs.cancelled': { batch: ({ arrivals }) => arrivals.ended },
    'runs.suspended': ({ arrivals }) => arrivals.resting(true),
    'runs.resumed': ({ arrivals }) => arrivals.resting(false),
    'workflows.suspended': ({ arrivals }) => arrivals.resting(true),
    'workflows.resumed': ({ arrivals }) => arrivals.resting(false),
    'identity.access_ended': ({ executionRemovals }) => executionRemovals.accessEnded,
    'identity.project_deleted': ({ executionRemovals }) => executionRemovals.projectClosed,
    'workflows.deleted': ({ executionRemovals }) => executionRemovals.workflowDeleted
  },
  contributes: {
    // Behind what workflows name, and before tasks.
    'archives.part': [{ order: 50, make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'workflows.list', make: listCapability },
      { key: 'workflows.execute', make: executeCapability },
      { key: 'workflows.read', make: readCapability },
      { key: 'workflows.cancel', make: cancelCapability }
    ],
    'jobs.waiter': [{ key: WAITER, make: ({ arrivals }) => ({ expired: arrivals.expired }) }],
    'jobs.worker': [
      {
        key: 'workflows.clean-up',
        make: ({ executionRemovals }) => ({ work: executionRemovals.removeOfGone, retries: 20 })
      },
      {
        key: 'workflows.forget-keys',
        make: ({ executionRemovals }) => ({ work: executionRemovals.forgetKeys, cron: '23 * * * *' })
      }
    ]
  },
  start: ({ liveExecutions }) => liveExecutions.open()
})
