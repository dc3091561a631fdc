import type { Kernel, Paging, Principal } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Files } from '../files/contract.ts'
import type { Knowledge } from '../knowledge/contract.ts'
import type { Runs } from '../runs/contract.ts'
import type { Sessions } from '../sessions/contract.ts'
import type { Item } from './recording/items.ts'
import type { Report, Use } from './schemas.ts'
import type { Scope, Trace } from './stores/traces.ts'
import type { RunsOf, Traces } from './traces.ts'

export type Reports = ReturnType<typeof createReports>

interface Deps extends Pick<Kernel, 'platform'> {
  agents: Agents
  runs: Runs
  sessions: Sessions
  files: Files | undefined
  knowledge: Knowledge | undefined
  traces: Traces
}

const contributing: readonly string[] = ['agent', 'person', 'service', 'model']
/** Of the run itself, and of what came of it. */
const apart: readonly string[] = ['run', 'session', 'reply', 'answer', 'events']

/** What runs used and who had a part in them. */
export function createReports({ agents, runs, sessions, files, knowledge, traces }: Deps) {
  const off = (needs: string) =>
    unavailable(`This report needs ${needs}, which is not installed or off`, {
      code: 'capability_missing',
      param: 'scopeType'
    })

  /** 404 or 403 unless the principal may read it; its runs, where it has runs and is not what runs used. */
  async function runsOf(by: Principal, { type, id }: Scope): Promise<RunsOf | undefined> {
    switch (type) {
      case 'run':
        await runs.find(by, id)
        return { runId: id }
      case 'session':
        return { sessionId: id, agentId: (await sessions.owned(by, id, 'read')).agentId }
      case 'agent':
        await agents.owned(by, id, 'read')
        return { agentId: id }
      case 'file':
        if (!files) throw off('files')
        await files.find(by, id, 'read')
        return undefined
      default:
        if (!knowledge) throw off('knowledge')
        await knowledge.readable(by, type, id)
        return undefined
    }
  }

  async function read(by: Principal, scope: Scope, page: Paging): Promise<Report> {
    const of = await runsOf(by, scope)
    // Who may read a document does not see for that what others did with it.
    const isWhole = scope.type === 'run' || scope.type === 'session'
    const found = of
      ? await traces.page(by.project, of, page, isWhole ? undefined : by)
      : await traces.using(by, scope, page)
    const uses = usesOf(found.data)
    return {
      scope,
      traceId: isWhole && found.data.length > 0 ? scope.id : null,
      runs: found.data.map(runOf),
      contributors: uses.filter(({ type }) => contributing.includes(type)),
      sources: uses.filter(({ type }) => !contributing.includes(type)),
      nextCursor: found.nextCursor
    }
  }

  return { read }
}

const runOf = ({ id, owner, sessionId, agentId, mode, status, count, startedAt, endedAt, items }: Trace) => {
  const answer = items.find(({ type }) => type === 'answer')
  const answerSha256 = (answer?.sha256 as string | undefined) ?? null
  return {
    runId: id,
    owner,
    sessionId,
    agentId,
    mode,
    status,
    items: count,
    answerSha256,
    startedAt,
    endedAt
  }
}

/** Each thing once, with the runs that used it. */
function usesOf(traces: readonly Trace[]): Use[] {
  const uses = new Map<string, Use & { runIds: string[] }>()
  for (const { id: runId, items } of traces)
    for (const item of items) {
      if (apart.includes(item.type)) continue
      const key = `${item.type} ${item.id} ${item.as ?? ''} ${item.version ?? ''} ${item.start ?? ''}`
      const known = uses.get(key)
      if (known) known.runIds.push(runId)
      else uses.set(key, { ...entryOf(item), runIds: [runId] })
    }
  return [...uses.values()]
}

/** Without what was said, which `full` keeps. */
const entryOf = ({ type, id, content: _, args: __, result: ___, ...details }: Item) => ({
  type: type as Use['type'],
  id,
  details
})
