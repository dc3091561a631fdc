import type { Kernel } from 'agent-platform'
import { isDatabaseAway } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { Models } from '../../models/contract.ts'
import type { UiPlugins } from '../../ui-plugins/contract.ts'
import { experiments } from '../schemas/experiments.ts'
import type { Score, Scorer } from '../schemas/scorers.ts'
import { scoreByFunction } from '../scorers/app-function.ts'
import { scoreByJudge } from '../scorers/judge.ts'
import type { Scored, Verdict } from '../scorers/scorer.ts'
import { MOST_REASON, nameOf, unscored } from '../scorers/scorer.ts'
import { scoreContains, scoreExact, scoreSchema } from '../scorers/text.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { ResultStore } from '../stores/results.ts'
import type { Progress } from './progress.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals' | 'log'> {
  models: Models
  'ui-plugins': UiPlugins | undefined
  experimentStore: ExperimentStore
  resultStore: ResultStore
  progress: Progress
}

export const SCORE = 'evaluations.score'
/** For so long what may be otherwise a moment later is tried again. */
const PATIENCE_MS = 300_000
const passing = new Set<unknown>([undefined, 'internal', 'unavailable', 'rateLimited', 'upstreamTimeout'])

/** What answers are worth. Scorers may be asked again where a process dies in between; the answer stays what it was. */
export function createScoring(deps: Deps) {
  const { knex, transaction, principals, log, models, experimentStore, resultStore, progress } = deps
  const apps = deps['ui-plugins']

  async function score({ id }: { readonly id: string }, signal: AbortSignal): Promise<void> {
    const row = await resultStore.find(id)
    if (row?.status !== 'scoring' || row.output === null) return
    const experiment = await experiments.find(knex, row.experimentId)
    if (experiment?.status !== 'running') return
    const by = await principals.of(row.project, row.owner)
    const isOld = Date.now() - Date.parse(row.answeredAt as string) > PATIENCE_MS
    const scores: Score[] = []
    for (const scorer of experiment.scorers) {
      const verdict = by
        ? await ask(scorer, { by, experiment, row, output: row.output, signal }, isOld)
        : unscored('The owner of the agent is disabled')
      scores.push({ scorer: nameOf(scorer), ...verdict })
    }
    await transaction(async (trx) => {
      const [held] = await experimentStore.lockAll(trx, [experiment])
      const open = held?.status === 'running' ? await resultStore.findOpen(trx, row) : undefined
      if (!held || open?.status !== 'scoring') return
      await progress.settle(trx, held, [{ row, outcome: { status: 'completed', scores, ...sumOf(scores) } }])
    })
  }

  /** One that fails gives no score, and says why. */
  async function ask(scorer: Scorer, scored: Scored, isLast: boolean): Promise<Verdict> {
    try {
      switch (scorer.type) {
        case 'exact':
          return scoreExact(scorer, scored)
        case 'contains':
          return scoreContains(scorer, scored)
        case 'json_schema':
          return await scoreSchema(scorer, scored)
        case 'judge':
          return await scoreByJudge(scorer, scored, models)
        case 'app_function':
          return await scoreByFunction(scorer, scored, apps)
      }
    } catch (error) {
      scored.signal.throwIfAborted()
      const { kind, message } = error as { kind?: string; message: string }
      if (isDatabaseAway(error) || (passing.has(kind) && !isLast)) throw error
      log.info({ result: scored.row.id, scorer: scorer.type, kind }, 'a scorer failed')
      return unscored(kind === undefined ? 'The scorer failed' : message.slice(0, MOST_REASON))
    }
  }

  const worker: Worker = {
    work: (data, signal) => score(data as { id: string }, signal),
    ...{ concurrency: 8, retries: 20, timeoutSeconds: 600 }
  }
  return { worker }
}

function sumOf(scores: readonly Score[]): { score: number | null; passed: boolean | null } {
  const numbers = scores.flatMap(({ score }) => score ?? [])
  if (numbers.length === 0) return { score: null, passed: null }
  return {
    score: numbers.reduce((sum, score) => sum + score, 0) / numbers.length,
    passed: scores.every(({ passed }) => passed !== false)
  }
}
