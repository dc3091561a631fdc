import type { Kernel, Principal } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Trace, TraceQuery } from '../schemas/traces.ts'
import type { ObservabilitySettings } from '../settings.ts'
import { traceOf } from './spans.ts'
import { timesOf } from './times.ts'

export type TraceService = ReturnType<typeof createTraceService>

interface Deps extends Pick<Kernel, 'streams' | 'transaction'> {
  settings: ObservabilitySettings
  agents: Agents
  runs: Runs
}

/** Traces are made when they are read, of what runs keep anyway: a run pays nothing for them. */
export function createTraceService({ streams, transaction, settings, agents, runs }: Deps) {
  async function list(by: Principal, agentId: string, query: TraceQuery) {
    const { name } = await agents.owned(by, agentId, 'read')
    const { spanKind: _, ...only } = query
    const page = await runs.list(by, { ...only, agentId })
    const traces = await read(
      by.project,
      page.data.map(({ id }) => id),
      new Map([[agentId, name]])
    )
    return { data: traces.map((trace) => narrowed(trace, query)), nextCursor: page.nextCursor }
  }

  /** In the order of the ids; nobody's rights are asked for. */
  async function read(
    project: string,
    runIds: readonly string[],
    names: ReadonlyMap<string, string>
  ): Promise<Trace[]> {
    if (runIds.length === 0) return []
    const records = await transaction((trx) => runs.records(trx, project, runIds))
    const byId = new Map(records.map((record) => [record.id, record]))
    const traces: Trace[] = []
    for (const id of runIds) {
      const record = byId.get(id)
      if (!record) continue
      const times = await timesOf({ streams }, project, id)
      traces.push(traceOf(record, times, names.get(record.agentId), settings.redaction === 'full'))
    }
    return traces
  }

  return { list, read }
}

/** Only the spans that were asked for. */
const narrowed = (trace: Trace, { spanKind }: TraceQuery): Trace =>
  spanKind === undefined
    ? trace
    : { ...trace, spans: trace.spans.filter((span) => span.attributes['gen_ai.operation.name'] === spanKind) }
