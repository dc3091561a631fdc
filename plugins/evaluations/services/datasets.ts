import type { Kernel, Principal, Searching } from 'agent-platform'
import { conflict, recordedEdits } from 'agent-platform'
import type { DatasetChanges, NewDataset } from '../schemas/datasets.ts'
import { datasets } from '../schemas/datasets.ts'
import type { EvaluationSettings } from '../settings.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { ItemStore } from '../stores/items.ts'

export type DatasetService = ReturnType<typeof createDatasetService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: EvaluationSettings
  itemStore: ItemStore
  experimentStore: ExperimentStore
}

export function createDatasetService(deps: Deps) {
  const { knex, transaction, facts, settings, itemStore, experimentStore } = deps
  const names = { updated: 'evaluations.dataset_updated', deleted: 'evaluations.dataset_deleted' } as const
  const edits = recordedEdits({ transaction, facts }, datasets, names)

  const create = (by: Principal, { name, description = null }: NewDataset) =>
    transaction(async (trx) => {
      if ((await itemStore.countDatasets(trx, by)) >= settings.mostDatasets)
        throw conflict(`An owner has at most ${settings.mostDatasets} datasets`, { code: 'too_many' })
      const { project, owner } = by
      const row = await datasets.insert(trx, { project, owner, name, description, itemCount: 0 })
      const { project: _, ...data } = row
      await facts.record(trx, 'evaluations.dataset_created', by, { subject: row.id, owner, data })
      return row
    })

  async function update(by: Principal, id: string, changes: DatasetChanges, version?: number) {
    return edits.update(by, await datasets.owned(knex, by, id, 'change'), changes, version)
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await datasets.owned(knex, by, id, 'change')
    const { project, owner } = found
    return transaction(async (trx) => {
      // An experiment takes a share of the dataset before it begins.
      await datasets.lock(trx, found, version)
      if ((await experimentStore.countRunning(trx, project, { datasetId: id })) > 0)
        throw conflict('An experiment with this dataset is under way', { code: 'experiment_running' })
      await datasets.remove(trx, found)
      await facts.record(trx, 'evaluations.dataset_deleted', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  return {
    create,
    update,
    remove,
    list: (by: Principal, page: Searching) => datasets.list(knex, by, page),
    read: (by: Principal, id: string) => datasets.owned(knex, by, id, 'read')
  }
}
