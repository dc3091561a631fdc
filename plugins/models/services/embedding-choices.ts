import type { Kernel, Principal } from 'agent-platform'
import { current, notFound } from 'agent-platform'
import type { EmbeddingChoice } from '../contract.ts'
import type { EmbeddingChoiceStore } from '../stores/embedding-choices.ts'

export type EmbeddingChoices = ReturnType<typeof createEmbeddingChoices>

interface Deps extends Pick<Kernel, 'remembered' | 'transaction' | 'facts'> {
  embeddingChoiceStore: EmbeddingChoiceStore
}

const CHANGED = 'models.embedding'
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000
const WHAT = 'Choice of the embedding model'

/** Which embedding model each project chose, kept in memory: asked at each search. */
export function createEmbeddingChoices({ remembered, transaction, facts, embeddingChoiceStore }: Deps) {
  const known = remembered(CHANGED, async (project) => embeddingChoiceStore.find(project), BELIEVE_MS)

  async function choose(by: Principal, { modelProvider, modelId }: EmbeddingChoice, version?: number) {
    const { project, owner } = by
    await transaction(async (trx) => {
      await embeddingChoiceStore.insert(trx, { project, owner, modelProvider, modelId })
      const before = current(await embeddingChoiceStore.take(trx, project), WHAT, version)
      if (version !== undefined && before.version !== version) current(undefined, WHAT, version)
      const isSame = before.modelProvider === modelProvider && before.modelId === modelId
      if (isSame && before.version > 0) return
      await embeddingChoiceStore.update(trx, project, { modelProvider, modelId })
      const fact = { subject: project, owner, data: { modelProvider, modelId } }
      await facts.record(trx, 'models.embedding_chosen', by, fact)
    })
    known.changed(project)
  }

  async function reset(by: Principal, version?: number) {
    const { project, owner } = by
    await transaction(async (trx) => {
      const before = await embeddingChoiceStore.take(trx, project)
      if (!before) throw notFound(WHAT)
      if (version !== undefined && before.version !== version) current(undefined, WHAT, version)
      await embeddingChoiceStore.remove(trx, project)
      await facts.record(trx, 'models.embedding_reset', by, { subject: project, owner, data: {} })
    })
    known.changed(project)
  }

  return { of: known.of, choose, reset, close: () => known[Symbol.dispose]() }
}
