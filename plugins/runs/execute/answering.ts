import type { Kernel } from 'agent-platform'
import { forbidden } from 'agent-platform'
import type { Model, ModelChoice, Models } from '../../models/contract.ts'
import type { ExecutedStep, RunInfo } from '../contract.ts'

export type Answering = ReturnType<typeof createAnswering>

interface Deps extends Pick<Kernel, 'points'> {
  models: Models
}

/** What answers in the next step of a run: what executes its agent, else the model that was chosen. */
export function createAnswering({ points, models }: Deps) {
  return async function answering(
    run: RunInfo,
    at: ExecutedStep,
    ordered: ModelChoice | undefined,
    agent: ModelChoice
  ): Promise<Model> {
    // A pack that orders a model means that one.
    if (!ordered)
      for (const { value } of points.all('runs.executor')) {
        const model = await value.model(run, at)
        // It has credentials of its own, which nothing was taken from.
        if (model && run.by.attenuation)
          throw forbidden('Tokens cannot run an agent that has a custom runtime. Use an API key.', {
            code: 'token_refused'
          })
        if (model) return { ...model, isExecutor: true }
      }
    return models.resolve(run.project, ordered ?? agent)
  }
}
