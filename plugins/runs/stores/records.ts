import type { Kernel } from 'agent-platform'
import type { FinishReason, RecordedCall, RunRecord, Runs, Usage } from '../contract.ts'
import type { ReplyPart } from './steps.ts'

const runsText = `select r.id, r.owner, r."sessionId", r."agentId", r.status, r.place as position, r.actor, r.request,
    r."modelProvider", r."modelId", r.usage, r.content, r."finishReason", r.fallbacks, r.error, r.citations, r.sources, r."createdAt", r."endedAt", r.step
  from runs.run r where r.project = $1 and r.id = any($2::text[])`
const repliesText = `select s."runId", s.step, s.reply as parts, s."finishReason", s.usage from runs.step s
  where s.project = $1 and s."runId" = any($2::text[]) order by s."runId", s.step`
const callsText = `select c."runId", c.id, c.step, c."toolName", c.args, c.output, c."isError", c."endedAt" from runs.call c
  where c.project = $1 and c."runId" = any($2::text[]) order by c."runId", c.step, c.place`

interface Reply {
  readonly runId: string
  readonly step: number
  readonly parts: readonly ReplyPart[]
  readonly finishReason: FinishReason | null
  readonly usage: Usage
}
type Call = RecordedCall & { readonly runId: string }

/** A part without the data of the provider, which is for its model only. */
function shown({ providerOptions: _, ...part }: ReplyPart): object[] {
  const isEmpty = part.type === 'custom' || (part.type === 'reasoning' && part.text === '')
  return isEmpty ? [] : [part]
}

/** Runs as they were, for those who handle the facts about them. */
export function createRecordStore({ hot }: Pick<Kernel, 'hot'>) {
  const list: Runs['records'] = async (trx, project, runIds) => {
    const read = <R extends object>(name: string, text: string, ids: readonly string[]) =>
      hot.together<R>(
        `runs.records.${name}`,
        { row: { text, values: [project, ids] } },
        'select * from row',
        trx
      )
    const rows = await read<RunRecord & { step: number }>('run', runsText, runIds)
    // Most runs call nothing: they are one query.
    const calling = rows.filter(({ step }) => step > 0).map(({ id }) => id)
    const replies = calling.length > 0 ? await read<Reply>('reply', repliesText, calling) : []
    const calls = calling.length > 0 ? await read<Call>('call', callsText, calling) : []
    return rows.map(({ step: _, ...run }) => ({
      ...run,
      replies: replies
        .filter(({ runId }) => runId === run.id)
        .map(({ runId: _, parts, ...reply }) => ({ ...reply, parts: parts.flatMap(shown) })),
      calls: calls.filter(({ runId }) => runId === run.id).map(({ runId, ...call }) => call)
    }))
  }

  return { list }
}
