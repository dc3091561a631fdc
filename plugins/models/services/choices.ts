import type { Kernel, Principal } from 'agent-platform'
import { current, notFound } from 'agent-platform'
import type { Modality, ProviderChoice } from '../contract.ts'
import type { ChoiceStore } from '../stores/choices.ts'

export type Choices = ReturnType<typeof createChoices>

interface Deps extends Pick<Kernel, 'remembered' | 'transaction' | 'facts'> {
  choiceStore: ChoiceStore
}

const CHANGED = 'models.choice'
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000
const WHAT = 'Choice of the model'

/** Which model each project chose for a modality, kept in memory: asked at each search. */
export function createChoices({ remembered, transaction, facts, choiceStore }: Deps) {
  const known = remembered(
    CHANGED,
    async (key) => {
      const at = key.lastIndexOf('/')
      return choiceStore.find({ project: key.slice(0, at), modality: key.slice(at + 1) as Modality })
    },
    BELIEVE_MS
  )
  const of = (project: string, modality: Modality) => known.of(`${project}/${modality}`)

  async function choose(
    by: Principal,
    modality: Modality,
    { modelProvider, modelId }: ProviderChoice,
    version?: number
  ) {
    const { project, owner } = by
    const place = { project, modality }
    await transaction(async (trx) => {
      await choiceStore.insert(trx, { ...place, owner, modelProvider, modelId })
      const before = current(await choiceStore.take(trx, place), WHAT, version)
      if (version !== undefined && before.version !== version) current(undefined, WHAT, version)
      const isSame = before.modelProvider === modelProvider && before.modelId === modelId
      if (isSame && before.version > 0) return
      await choiceStore.update(trx, place, { modelProvider, modelId })
      const fact = { subject: project, owner, data: { modality, modelProvider, modelId } }
      await facts.record(trx, 'models.model_chosen', by, fact)
    })
    known.changed(`${project}/${modality}`)
  }

  async function reset(by: Principal, modality: Modality, version?: number) {
    const { project, owner } = by
    const place = { project, modality }
    await transaction(async (trx) => {
      const before = await choiceStore.take(trx, place)
      if (!before) throw notFound(WHAT)
      if (version !== undefined && before.version !== version) current(undefined, WHAT, version)
      await choiceStore.remove(trx, place)
      await facts.record(trx, 'models.model_reset', by, { subject: project, owner, data: { modality } })
    })
    known.changed(`${project}/${modality}`)
  }

  return { of, choose, reset, close: () => known[Symbol.dispose]() }
}
