import type { Kernel } from 'agent-platform'
import type { RunOutcome, Runs } from '../contract.ts'

const outcomesText = `select r.id, r.content, r.error, r."createdAt" from runs.run r
  where r.project = $1 and r.id = any($2::text[]) and r."endedAt" is not null`

/** What became of runs, for those who handle the facts about them. */
export function createOutcomeStore({ hot }: Pick<Kernel, 'hot'>) {
  const list: Runs['outcomes'] = async (trx, project, runIds) => {
    const parts = { ended: { text: outcomesText, values: [project, runIds] } }
    const rows = await hot.together<RunOutcome>('runs.outcomes', parts, 'select * from ended', trx)
    return new Map(rows.map((row) => [row.id, row]))
  }

  return { list }
}
