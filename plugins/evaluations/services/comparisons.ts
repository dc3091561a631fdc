import type { Principal } from 'agent-platform'
import { invalid, owned } from 'agent-platform'
import type { ComparedItem, Comparison, ComparisonQuery } from '../schemas/comparison.ts'
import type { ExperimentRow, Summary } from '../schemas/experiments.ts'
import { experiments } from '../schemas/experiments.ts'
import type { Result } from '../schemas/results.ts'
import { nameOf } from '../scorers/scorer.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { SummaryStore } from '../stores/summaries.ts'

export type Comparisons = ReturnType<typeof createComparisons>

interface Deps {
  experimentStore: ExperimentStore
  summaryStore: SummaryStore
}
type Summarised = ExperimentRow & { readonly summary: Summary }

const LEAST = 2
const MOST = 5

/** Experiments of one dataset side by side; the first is what the others are measured by. */
export function createComparisons({ experimentStore, summaryStore }: Deps) {
  async function find(by: Principal, text: string): Promise<readonly ExperimentRow[]> {
    const ids = text.split(',').map((id) => id.trim())
    if (ids.length < LEAST || ids.length > MOST || new Set(ids).size < ids.length)
      throw invalid('ids', `ids must be ${LEAST} to ${MOST} different experiments, with commas between them`)
    const rows = await experimentStore.findAll(ids)
    const found = ids.map((id) =>
      owned(
        by,
        rows.find((row) => row.id === id),
        experiments.what,
        'read',
        { param: 'ids' }
      )
    )
    if (new Set(found.map(({ datasetId }) => datasetId)).size > 1)
      throw invalid('ids', 'The experiments are of different datasets', 'different_datasets')
    return found
  }

  async function compare(by: Principal, ids: string): Promise<Comparison> {
    const rows = await Promise.all(
      (await find(by, ids)).map(async (row): Promise<Summarised> => {
        return { ...row, summary: row.summary ?? (await summaryStore.find(row, row.scorers.map(nameOf))) }
      })
    )
    const [baseline] = rows as [Summarised]
    return { experiments: await Promise.all(rows.map((row) => beside(baseline, row))) }
  }

  async function beside(baseline: Summarised, row: Summarised): Promise<Comparison['experiments'][number]> {
    const { summary } = row
    const before = baseline.summary
    const scorers = summary.scorers.map(({ scorer, score }) => {
      const other = before.scorers.find((it) => it.scorer === scorer)
      return { scorer, score: difference(score, other?.score ?? null) }
    })
    return {
      experiment: row,
      score: difference(summary.score, before.score),
      passRate: difference(summary.passRate, before.passRate),
      scorers,
      ...(await summaryStore.findChanges(row.project, baseline.id, row.id))
    }
  }

  async function list(by: Principal, { ids: text, change, ...page }: ComparisonQuery) {
    const rows = await find(by, text)
    const [{ project }] = rows as [ExperimentRow]
    const ids = rows.map(({ id }) => id)
    const { data, nextCursor } = await summaryStore.listItemIds(project, ids, change, page)
    const items = data.map(({ id }) => id)
    const results = Map.groupBy(await summaryStore.listOfItems(project, ids, items), ({ itemId }) => itemId)
    return { data: items.map((id) => itemOf(id, ids, results.get(id) ?? [])), nextCursor }
  }

  return { compare, list }
}

function itemOf(id: string, experimentIds: readonly string[], results: readonly Result[]): ComparedItem {
  const inOrder = experimentIds.map((of) => results.find(({ experimentId }) => experimentId === of) ?? null)
  const [baseline] = inOrder
  const { input, expected } = results[0] as Result
  return {
    ...{ id, input, expected },
    results: inOrder.map((result) => result && { ...result, change: changeOf(result, baseline) })
  }
}

function changeOf({ score }: Result, baseline: Result | null | undefined) {
  const before = baseline?.score ?? null
  if (score === null || before === null) return null
  return score === before ? 'same' : score > before ? 'improved' : 'regressed'
}

const difference = (score: number | null, before: number | null): number | null =>
  score === null || before === null ? null : score - before
