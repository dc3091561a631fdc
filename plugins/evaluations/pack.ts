import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../credits/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../models/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import type {} from '../ui-plugins/contract.ts'
import type {} from './contract.ts'
import { datasetRoutes } from './routes/datasets.ts'
import { experimentRoutes } from './routes/experiments.ts'
import { feedbackRoutes } from './routes/feedback.ts'
import { createComparisons } from './services/comparisons.ts'
import { createDatasetService } from './services/datasets.ts'
import { createExperimentService } from './services/experiments.ts'
import { createFeedbackService } from './services/feedback.ts'
import { createItemRuns } from './services/item-runs.ts'
import { createItemService } from './services/items.ts'
import { createProgress } from './services/progress.ts'
import { createRemovals } from './services/removals.ts'
import { createScoring } from './services/scoring.ts'
import { EvaluationSettings } from './settings.ts'
import { createExperimentStore } from './stores/experiments.ts'
import { createFeedbackStore } from './stores/feedback.ts'
import { createItemStore } from './stores/items.ts'
import { createResultStore } from './stores/results.ts'
import { createSummaryStore } from './stores/summaries.ts'

/** Evaluations: how good an agent is at what it should be able to do, by datasets, experiments and comparisons. */
export default definePack({
  name: 'evaluations',
  area: 'Observability',
  summary: 'agent evaluation: datasets, scored experiments and comparisons',
  requires: ['agents', 'jobs', 'models', 'runs', 'sessions'],
  uses: ['credits', 'ui-plugins'],
  settings: EvaluationSettings,
  services: {
    itemStore: createItemStore,
    experimentStore: createExperimentStore,
    resultStore: createResultStore,
    summaryStore: createSummaryStore,
    feedbackStore: createFeedbackStore,
    datasetService: createDatasetService,
    itemService: createItemService,
    progress: createProgress,
    itemRuns: createItemRuns,
    scoring: createScoring,
    experimentService: createExperimentService,
    comparisons: createComparisons,
    removals: createRemovals,
    feedbackService: createFeedbackService
  },
  routes(app, deps) {
    datasetRoutes(app, deps)
    experimentRoutes(app, deps)
    feedbackRoutes(app, deps)
  },
  on: {
    'runs.suspended': { batch: ({ itemRuns }) => itemRuns.suspended },
    'runs.completed': { batch: ({ itemRuns }) => itemRuns.ended('completed') },
    'runs.failed': { batch: ({ itemRuns }) => itemRuns.ended('failed') },
    'runs.cancelled': { batch: ({ itemRuns }) => itemRuns.ended('cancelled') }
  },
  contributes: {
    'jobs.worker': [
      { key: 'evaluations.start', make: ({ itemRuns }) => itemRuns.starting },
      { key: 'evaluations.stop', make: ({ itemRuns }) => itemRuns.stopping },
      { key: 'evaluations.score', make: ({ scoring }) => scoring.worker },
      { key: 'evaluations.forget', make: ({ removals }) => removals.forgetting }
    ]
  },
  cascade: {
    'evaluations.experiment_deleted': { result: ({ removals }) => removals.removeOfExperiment },
    'evaluations.dataset_deleted': {
      item: 'datasetId',
      experiment: ({ removals }) => removals.removeOf('datasetId')
    },
    'agents.deleted': {
      experiment: ({ removals }) => removals.removeOf('agentId'),
      feedback: 'agentId'
    },
    'sessions.deleted': { feedback: 'sessionId' }
  }
})
