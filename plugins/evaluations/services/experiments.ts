import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, examineSchema, exhausted, forbidden, invalid, newId, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Models } from '../../models/contract.ts'
import type { UiPlugins } from '../../ui-plugins/contract.ts'
import { datasets } from '../schemas/datasets.ts'
import type { Experiment, ExperimentQuery, ExperimentRow, NewExperiment } from '../schemas/experiments.ts'
import { experiments } from '../schemas/experiments.ts'
import type { ResultQuery } from '../schemas/results.ts'
import type { NamedScorer, Scorer } from '../schemas/scorers.ts'
import { nameOf } from '../scorers/scorer.ts'
import type { EvaluationSettings } from '../settings.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { ItemStore } from '../stores/items.ts'
import type { ResultStore } from '../stores/results.ts'
import type { SummaryStore } from '../stores/summaries.ts'
import type { Progress } from './progress.ts'

export type ExperimentService = ReturnType<typeof createExperimentService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: EvaluationSettings
  agents: Agents
  models: Models
  'ui-plugins': UiPlugins | undefined
  itemStore: ItemStore
  experimentStore: ExperimentStore
  resultStore: ResultStore
  summaryStore: SummaryStore
  progress: Progress
}

const MOST_SCHEMA = 32_000

export function createExperimentService(deps: Deps) {
  const { knex, transaction, facts, settings, agents, models } = deps
  const { itemStore, experimentStore, resultStore, summaryStore, progress } = deps
  const apps = deps['ui-plugins']

  async function create(by: Principal, input: NewExperiment): Promise<Experiment> {
    const { datasetId, agentId, version, model = null, instructions = null, concurrency = 3 } = input
    // It runs the agent, which a credential that was narrowed needs the scope for.
    if (by.narrowed && !by.scopes.has('agents:run'))
      throw forbidden('The credential lacks the scope agents:run', { code: 'scope_missing' })
    const agent = await agents.owned(by, agentId, 'change', '/agentId')
    const dataset = await ownedAt(by, datasetId)
    if (version !== undefined && version !== agent.version) throw agentChanged(agent.version)
    if (model) models.checkProvider(model.modelProvider, '/model/modelProvider')
    const scorers = await checked(by, input.scorers)
    const { project, owner } = agent
    const name = input.name ?? nameFor(dataset.name, agent.name)
    return transaction(async (trx) => {
      const { all, running } = await experimentStore.countOwn(trx, { project, owner })
      if (all >= settings.mostExperiments)
        throw conflict(`An owner has at most ${settings.mostExperiments} experiments`, { code: 'too_many' })
      if (running >= settings.mostRunning)
        throw exhausted(`${settings.mostRunning} experiments of the owner are under way`, {
          code: 'too_many_running'
        })
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent', { param: '/agentId' })
      await datasets.lock(trx, dataset)
      const itemIds = await itemStore.listIds(trx, dataset)
      if (itemIds.length === 0) throw invalid('/datasetId', 'The dataset has no items', 'dataset_empty')
      const row = await experiments.insert(trx, {
        ...{ id: newId('experiment'), project, owner, name, datasetId, agentId, model, instructions },
        ...{ agentVersion: agent.version, scorers, concurrency, status: 'running' as const },
        ...{ itemCount: itemIds.length, endedCount: 0 }
      })
      await resultStore.insertOf(trx, row, itemIds)
      await progress.begin(trx, by, row)
      return row
    })
  }

  const ownedAt = async (by: Principal, datasetId: string) => {
    const found = await datasets.find(knex, datasetId)
    if (!found) throw notFound('Dataset', { param: '/datasetId' })
    return datasets.owned(knex, by, datasetId, 'read')
  }

  /** With their names, of which there are no two alike. */
  async function checked(by: Principal, scorers: readonly Scorer[]): Promise<NamedScorer[]> {
    const names = new Set<string>()
    for (const [index, scorer] of scorers.entries()) {
      const at = `/scorers/${index}`
      const name = nameOf(scorer)
      if (names.has(name)) throw invalid(`${at}/name`, `Another scorer is called ${name}`)
      names.add(name)
      await check(by, scorer, at)
    }
    return scorers.map((scorer) => ({ ...scorer, name: nameOf(scorer) }))
  }

  async function check(by: Principal, scorer: Scorer, at: string): Promise<void> {
    if (scorer.type === 'json_schema') {
      if (JSON.stringify(scorer.schema).length > MOST_SCHEMA)
        throw invalid(`${at}/schema`, `A schema has at most ${MOST_SCHEMA} characters`)
      const fault = await examineSchema(by, scorer.schema)
      if (fault) throw invalid(`${at}/schema${fault.at}`, `The schema ${fault.text}`)
    }
    if (scorer.type === 'judge' && scorer.model)
      models.checkProvider(scorer.model.modelProvider, `${at}/model/modelProvider`)
    if (scorer.type !== 'app_function') return
    if (!apps) throw invalid(`${at}/app`, 'Apps are not installed or off', 'apps_off')
    const { manifest } = await apps.installation(by, scorer.app).catch((error) => {
      throw Object.assign(error, { param: `${at}/app` })
    })
    if (!manifest.functions.some(({ name }) => name === scorer.function))
      throw invalid(`${at}/function`, `The app has no function ${scorer.function}`)
  }

  const find = (by: Principal, id: string, verb: 'read' | 'change'): Promise<ExperimentRow> =>
    experiments.owned(knex, by, id, verb)

  async function read(by: Principal, id: string): Promise<Experiment> {
    const row = await find(by, id, 'read')
    return row.summary ? row : { ...row, summary: await summaryStore.find(row, row.scorers.map(nameOf)) }
  }

  async function list(by: Principal, { datasetId, agentId, status, ...page }: ExperimentQuery) {
    if (datasetId !== undefined) await datasets.owned(knex, by, datasetId, 'read')
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return experiments.list(knex, by, page, { datasetId, agentId, status } as Partial<ExperimentRow>)
  }

  async function cancel(by: Principal, id: string): Promise<Experiment> {
    const found = await find(by, id, 'change')
    return transaction(async (trx) => {
      const row = await experiments.lock(trx, found)
      if (row.status !== 'running') throw conflict('The experiment is over', { code: 'already_ended' })
      return progress.end(trx, row, 'cancelled', null, by)
    })
  }

  async function remove(by: Principal, id: string) {
    const found = await find(by, id, 'change')
    return transaction(async (trx) => {
      const row = await experiments.lock(trx, found)
      if (row.status === 'running')
        throw conflict('The experiment is under way', { code: 'experiment_running' })
      await experiments.remove(trx, row)
      const { owner } = row
      await facts.record(trx, 'evaluations.experiment_deleted', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  async function results(by: Principal, id: string, query: ResultQuery & Paging) {
    const { project } = await find(by, id, 'read')
    return resultStore.list(project, id, query)
  }

  async function findStream(by: Principal, id: string) {
    const { project } = await find(by, id, 'read')
    return { project, stream: id }
  }

  return { create, list, read, cancel, remove, results, findStream }
}

const agentChanged = (version: number) =>
  conflict(`The agent has version ${version} by now`, { code: 'agent_changed' })
const nameFor = (dataset: string, agent: string): string => `${dataset} · ${agent}`.slice(0, 200).trim()
