import type { PageOf, Paging, Principal } from 'agent-platform'
import { tooLarge } from 'agent-platform'
import type { Runs } from '../runs/contract.ts'
import type { Recorder } from './recording/recorder.ts'
import type { ProvenanceSettings } from './settings.ts'
import type { Trace, TraceStore } from './stores/traces.ts'

export type Traces = ReturnType<typeof createTraces>

const PAGE = 200

/** Runs by what they belong to; of a session with its agent, which takes an index. */
export type RunsOf = Parameters<Runs['ended']>[1]

interface Deps {
  settings: ProvenanceSettings
  runs: Runs
  recorder: Recorder
  traceStore: TraceStore
}

/** What runs used: as it was written down, else from the record of the run. */
export function createTraces({ settings, runs, recorder, traceStore }: Deps) {
  /** A page, newest first; of what the principal reaches, where one is given. Those that record nothing are left out of it. */
  async function page(project: string, of: RunsOf, paging: Paging, by?: Principal): Promise<PageOf<Trace>> {
    const { data, nextCursor } = await runs.ended(project, of, paging, by)
    const ids = data.map((run) => run.id)
    const known = new Map((await traceStore.listOf(project, ids)).map((trace) => [trace.id, trace]))
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length > 0)
      for (const trace of await recorder.derive(project, missing)) known.set(trace.id, trace)
    return { data: ids.flatMap((id) => known.get(id) ?? []), nextCursor }
  }

  /** All of a run or a session, in the order in which the runs began; 413 where that is too much for a bundle. */
  async function all(project: string, of: RunsOf): Promise<Trace[]> {
    const traces: Trace[] = []
    let count = 0
    let cursor: string | undefined
    do {
      const next = await page(project, of, { limit: PAGE, ...(cursor !== undefined && { cursor }) })
      traces.push(...next.data)
      count += next.data.reduce((sum, trace) => sum + trace.count, 0)
      if (count > settings.bundleItems)
        throw tooLarge(
          `A bundle has at most ${settings.bundleItems} items, and this one had ${count} or more`
        )
      cursor = next.nextCursor ?? undefined
    } while (cursor !== undefined)
    return traces.reverse()
  }

  return { page, all, using: traceStore.listUsing }
}
