import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { RunRecord, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { DatasetRow } from '../schemas/datasets.ts'
import { datasets } from '../schemas/datasets.ts'
import type { FeedbackQuery, FeedbackRow, NewFeedback } from '../schemas/feedback.ts'
import { feedbacks } from '../schemas/feedback.ts'
import { items, MOST_TEXT } from '../schemas/items.ts'
import type { FeedbackStore } from '../stores/feedback.ts'
import type { ItemStore } from '../stores/items.ts'
import { sizeOf } from '../stores/items.ts'
import type { ItemService } from './items.ts'

export type FeedbackService = ReturnType<typeof createFeedbackService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  runs: Runs
  sessions: Sessions
  itemStore: ItemStore
  itemService: ItemService
  feedbackStore: FeedbackStore
}

const MOST_COMMENT = 1_000

/** What owners of runs say of the answers. */
export function createFeedbackService(deps: Deps) {
  const { knex, transaction, facts, agents, runs, sessions, itemStore, itemService, feedbackStore } = deps

  /** 404 and 403: who a run is shared with may read it, and no more. */
  async function recordOf(by: Principal, runId: string): Promise<RunRecord> {
    await runs.find(by, runId)
    const [run] = await transaction((trx) => runs.records(trx, by.project, [runId]))
    const { owner, agentId } = run ?? {}
    owned(by, owner === undefined ? undefined : { project: by.project, owner, agentId }, 'Run', 'change')
    return run as RunRecord
  }

  async function give(by: Principal, runId: string, input: NewFeedback): Promise<FeedbackRow> {
    const { thumb, comment = null, datasetId = null } = input
    const run = await recordOf(by, runId)
    if (run.endedAt === null) throw conflict('The run is under way', { code: 'run_under_way' })
    const dataset = datasetId === null ? undefined : await datasetAt(by, datasetId)
    const asked = dataset ? await askedIn(by.project, run) : ''
    return transaction(async (trx) => {
      const before = await feedbackStore.lockOfRun(trx, by.project, runId)
      const itemId = dataset ? await keep(trx, by, dataset, run, asked, input) : null
      const said = { thumb, comment, datasetId, itemId }
      const { owner, sessionId, agentId } = run
      const { project } = by
      const { row, isChanged } = before
        ? await feedbacks.update(trx, before, said)
        : {
            row: await feedbacks.insert(trx, { project, owner, runId, sessionId, agentId, ...said }),
            isChanged: true
          }
      const data = { runId, agentId, thumb, datasetId }
      if (isChanged)
        await facts.record(trx, 'evaluations.feedback_given', by, { subject: runId, owner, data })
      return row
    })
  }

  async function datasetAt(by: Principal, datasetId: string): Promise<DatasetRow> {
    if (!(await datasets.find(knex, datasetId))) throw notFound('Dataset', { param: '/datasetId' })
    return datasets.owned(knex, by, datasetId, 'change')
  }

  async function askedIn(project: string, { sessionId, id }: RunRecord): Promise<string> {
    const said = (await sessions.ofRun(project, sessionId, id)).filter(({ role }) => role === 'user')
    const text = said.map(({ content }) => content).join('\n\n')
    if (text.trim() === '') throw conflict('Nothing was asked in this run', { code: 'nothing_asked' })
    return textOf(text)
  }

  /**
   * One item of the dataset for the run, however often something is said of it. What a person wrote as its expected outcome
   * stays; the answer itself is expected only as long as it is called good.
   */
  async function keep(
    trx: Trx,
    by: Principal,
    dataset: DatasetRow,
    { id: runId, content }: RunRecord,
    input: string,
    { thumb, comment = null }: NewFeedback
  ): Promise<string> {
    const answer = content === null ? null : textOf(content)
    const found = await itemStore.findOfRun(trx, dataset, runId)
    if (!found) {
      const metadata: Record<string, string> =
        comment === null ? {} : { comment: comment.slice(0, MOST_COMMENT).toWellFormed() }
      const expected = thumb === 'up' ? answer : null
      const [id] = await itemService.addAll(trx, by, dataset, [{ input, expected, metadata, runId }])
      return id as string
    }
    const isAnswer = found.expected === null || found.expected === answer
    if (!isAnswer) return found.id
    const { row } = await items.update(trx, found, { expected: thumb === 'up' ? answer : null })
    await itemStore.updateSize(trx, row, sizeOf(row))
    return row.id
  }

  async function find(by: Principal, runId: string): Promise<FeedbackRow> {
    await recordOf(by, runId)
    const row = await feedbackStore.findOfRun(by.project, runId)
    if (!row) throw notFound('Feedback')
    return row
  }

  async function remove(by: Principal, runId: string) {
    const { id, project, owner } = await find(by, runId)
    return transaction(async (trx) => {
      await feedbacks.remove(trx, { project, id })
      const data = { runId }
      await facts.record(trx, 'evaluations.feedback_deleted', by, { subject: runId, owner, data })
      return { id, deleted: true as const }
    })
  }

  async function list(by: Principal, { agentId, runId, thumb, ...page }: FeedbackQuery) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return feedbacks.list(knex, by, page, { agentId, runId, thumb } as Partial<FeedbackRow>)
  }

  return { give, read: find, remove, list }
}

const textOf = (text: string): string => text.slice(0, MOST_TEXT).replaceAll('\0', '\ufffd').toWellFormed()
