import type { Dataset } from './schemas/datasets.ts'

/** An experiment: never what was said in it. */
export interface AboutExperiment {
  readonly id: string
  readonly datasetId: string
  readonly agentId: string
  readonly agentVersion: number
  readonly itemCount: number
}

declare module 'agent-platform' {
  interface Facts {
    'evaluations.dataset_created': Dataset
    'evaluations.dataset_updated': Dataset
    'evaluations.dataset_deleted': { id: string }
    'evaluations.items_added': { readonly datasetId: string; readonly count: number }
    'evaluations.item_updated': { readonly datasetId: string; readonly itemId: string }
    'evaluations.item_deleted': { readonly datasetId: string; readonly itemId: string }
    'evaluations.experiment_started': AboutExperiment
    'evaluations.experiment_completed': AboutExperiment
    'evaluations.experiment_failed': AboutExperiment & { readonly code: string }
    'evaluations.experiment_cancelled': AboutExperiment
    'evaluations.experiment_deleted': { id: string }
    /** What an answer was worth to the owner of its run; never what it said. */
    'evaluations.feedback_given': {
      readonly runId: string
      readonly agentId: string
      readonly thumb: 'up' | 'down'
      readonly datasetId: string | null
    }
    'evaluations.feedback_deleted': { readonly runId: string }
  }
}
