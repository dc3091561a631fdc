import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Principal } from 'agent-platform'
import { preconditionFailed } from 'agent-platform'
import type { ProviderChoice } from '../contract.ts'
import type { FallbackStore } from '../stores/fallbacks.ts'
import type { ModelService } from './models.ts'
import { admitProjectWide } from './project-wide.ts'

export type FallbackService = ReturnType<typeof createFallbackService>

interface Deps extends Pick<Kernel, 'remembered' | 'transaction' | 'facts'> {
  modelService: ModelService
  fallbackStore: FallbackStore
}

const CHANGED = 'models.fallback'
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000
const none: readonly ProviderChoice[] = []

/** The fallback models of a project, for agents that have none of their own; kept in memory. */
export function createFallbackService(deps: Deps) {
  const { remembered, transaction, facts, modelService, fallbackStore } = deps
  const known = remembered(
    CHANGED,
    async (project) => (await fallbackStore.find(project))?.models ?? none,
    BELIEVE_MS
  )

  async function read({ project }: Principal) {
    const row = await fallbackStore.find(project)
    return {
      models: [...(row?.models ?? [])],
      version: row?.version ?? 0,
      updatedAt: row?.updatedAt ?? null
    }
  }

  async function replace(by: Principal, models: readonly ProviderChoice[], version?: number) {
    admitProjectWide(by)
    for (const [index, { modelProvider }] of models.entries())
      modelService.checkProvider(modelProvider, `/models/${index}/modelProvider`)
    const { project, owner } = by
    await transaction(async (trx) => {
      await fallbackStore.insert(trx, project, owner)
      const before = await fallbackStore.take(trx, project)
      if (version !== undefined && before?.version !== version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
        )
      if (isDeepStrictEqual(before?.models, models)) return
      await fallbackStore.update(trx, project, models)
      await facts.record(trx, 'models.fallbacks_changed', by, {
        subject: project,
        owner,
        data: { models: [...models] }
      })
    })
    known.changed(project)
    return read(by)
  }

  return { of: known.of, read, replace, close: () => known[Symbol.dispose]() }
}
