import type { Kernel } from 'agent-platform'
import type { ModelChoice, Models } from '../../models/contract.ts'
import type { Fallback } from '../schemas/fallbacks.ts'
import type { FallbackStore } from '../stores/fallbacks.ts'
import type { Circuits } from './circuits.ts'
import { fallbackReason } from './fallback-reasons.ts'
import type { Live } from './live-runs.ts'

export type Fallbacks = ReturnType<typeof createFallbacks>

interface Deps extends Pick<Kernel, 'log'> {
  models: Models
  fallbackStore: FallbackStore
  circuits: Circuits
}

const isSame = (one: ModelChoice, other: ModelChoice) =>
  one.modelProvider === other.modelProvider && one.modelId === other.modelId

/** The model that a run goes on with: its agent's, or the fallback that it switched to. */
export const choiceOf = ({ run, profile }: Live): ModelChoice => run.fallbacks?.at(-1)?.to ?? profile.agent

/** Whether a model that failed is asked again: not while another model is left. */
export const isRetried = ({ hasFallback }: Live): boolean => !hasFallback

/** Other models of an agent, in its order, for when its own is limited, unavailable or silent. */
export function createFallbacks({ log, models, fallbackStore, circuits }: Deps) {
  /** The agent's, else the project's. A pack that ordered a model means that one, and so does what executes an agent. */
  async function listOf({ run, profile, isExecuted, resolved }: Live): Promise<readonly ModelChoice[]> {
    if (run.request.model || isExecuted || resolved?.isExecutor) return []
    return profile.agent.options?.fallbacks ?? models.fallbacks(run.project)
  }

  /** Those that are left for the run. */
  async function left(live: Live): Promise<readonly ModelChoice[]> {
    const all = await listOf(live)
    const current = live.run.fallbacks?.at(-1)?.to
    if (!current) return all
    const at = all.findIndex((it) => isSame(it, current))
    return at < 0 ? [] : all.slice(at + 1)
  }

  /** `<provider>/<model>`; undefined where it cannot be asked. */
  async function nameOf(project: string, choice: ModelChoice): Promise<string | undefined> {
    const model = await models.resolve(project, choice).catch(() => undefined)
    return model && `${model.modelProvider}/${model.modelId}`
  }

  async function isOpen(project: string, choice: ModelChoice): Promise<boolean> {
    const name = await nameOf(project, choice)
    return name !== undefined && (await circuits.isOpen(project, name))
  }

  async function switchTo(live: Live, to: ModelChoice, reason: Fallback['reason']): Promise<void> {
    const { run, writer } = live
    const { modelProvider, modelId } = choiceOf(live)
    const fallback: Fallback = {
      step: live.steps.length + 1,
      from: live.model ?? { modelProvider, modelId },
      to: { modelProvider: to.modelProvider, modelId: to.modelId },
      reason
    }
    await live.accepted
    run.fallbacks = [...(run.fallbacks ?? []), fallback]
    await fallbackStore.update(run, run.fallbacks)
    writer.append('model_fallback', { ...fallback })
    live.resolved = undefined
    live.model = undefined
    log.warn({ run: run.id, ...fallback }, 'a run goes on with another model')
  }

  /** Before a model is asked: one whose circuit is open is passed over. */
  async function prepare(live: Live): Promise<void> {
    const { project } = live.run
    let rest = await left(live)
    while (rest.length > 0 && (await isOpen(project, choiceOf(live)))) {
      await switchTo(live, rest[0] as ModelChoice, 'circuit_open')
      rest = await left(live)
    }
    live.hasFallback = rest.length > 0
  }

  /** After a model failed: the run goes on with the next one, or this rejects with the failure. */
  async function next(live: Live, error: unknown): Promise<void> {
    const { project } = live.run
    const reason = (await listOf(live)).length > 0 ? fallbackReason(error) : undefined
    if (!reason) throw error
    const { model } = live
    if (model && reason !== 'not_configured')
      await circuits.failed(project, `${model.modelProvider}/${model.modelId}`)
    const [other] = await left(live)
    // What readers saw of a reply is not continued by another model.
    if (!other || live.hasSpoken) throw error
    await switchTo(live, other, reason)
  }

  async function succeeded(live: Live): Promise<void> {
    const { run, model } = live
    if (!model || (await listOf(live)).length === 0) return
    await circuits.succeeded(run.project, `${model.modelProvider}/${model.modelId}`)
  }

  return { prepare, next, succeeded }
}
