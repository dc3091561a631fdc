import { randomBytes } from 'node:crypto'
import type { Fact, Trx } from 'agent-platform'
import type { GivenPassage, Knowledge } from '../../knowledge/contract.ts'
import type { RunRecord, Runs } from '../../runs/contract.ts'
import type { Message, Sessions } from '../../sessions/contract.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { NewSource, TraceStore } from '../stores/traces.ts'
import type { Item, Mode } from './items.ts'
import { itemsOf } from './items.ts'

export type Recorder = ReturnType<typeof createRecorder>

interface Deps {
  settings: ProvenanceSettings
  runs: Runs
  sessions: Sessions
  knowledge: Knowledge | undefined
  traceStore: TraceStore
}
interface Ended {
  readonly runId: string
  readonly provenance: Mode
}

/** Writes down what runs used, in the transaction that handles the facts of their ends: once each, whatever crashes. */
export function createRecorder({ settings, runs, sessions, knowledge, traceStore }: Deps) {
  async function ended(facts: readonly Fact<Ended>[], trx: Trx): Promise<void> {
    const wanted = facts.filter(({ data }) => data.provenance !== 'off')
    for (const [project, of] of Map.groupBy(wanted, (fact) => fact.project)) {
      const ids = of.map(({ data }) => data.runId)
      await record(trx, project, await runs.records(trx, project, ids))
    }
  }

  async function record(trx: Trx, project: string, found: readonly RunRecord[]): Promise<void> {
    const recorded = found.filter((run) => modeOf(run) !== 'off')
    if (recorded.length === 0) return
    const messages = Map.groupBy(await sessions.ofRuns(trx, project, recorded), ({ runId }) => runId)
    // What was looked up was looked up by calls.
    const calling = recorded.filter(({ calls }) => calls.length > 0).map(({ id }) => id)
    const passages = await givenTo(trx, project, calling)
    const traces = recorded.map((run) => {
      const mode = modeOf(run) as Exclude<Mode, 'off'>
      return traceOf(project, run, mode, messages.get(run.id) ?? [], passages.get(run.id) ?? [])
    })
    await traceStore.insertAll(trx, traces, traces.flatMap(sourcesOf))
  }

  const modeOf = ({ request }: RunRecord): Mode => request.provenance?.mode ?? settings.defaultMode

  async function givenTo(trx: Trx, project: string, runIds: readonly string[]) {
    const given = runIds.length > 0 && knowledge ? await knowledge.given(trx, project, runIds) : []
    return Map.groupBy(given, ({ runId }) => runId)
  }

  return { ended }
}

function traceOf(
  project: string,
  run: RunRecord,
  mode: Exclude<Mode, 'off'>,
  messages: readonly Message[],
  passages: readonly GivenPassage[]
) {
  const { id, owner, sessionId, agentId, status, createdAt } = run
  const items = itemsOf({ run, messages, passages, mode })
  const times = { startedAt: createdAt, endedAt: run.endedAt ?? createdAt }
  const salt = randomBytes(32).toString('hex')
  return { project, id, owner, sessionId, agentId, mode, status, salt, count: items.length, items, ...times }
}

/** What a run can be looked for by. */
function sourcesOf({ project, id: runId, sessionId, agentId, items }: ReturnType<typeof traceOf>) {
  const found = new Map<string, NewSource>()
  const add = (type: NewSource['type'], usedId: unknown) => {
    if (typeof usedId === 'string')
      found.set(`${type} ${usedId}`, { project, type, usedId, runId, sessionId, agentId })
  }
  for (const item of items as readonly Item[]) {
    if (item.type === 'document') {
      add('document', item.id)
      add('space', item.spaceId)
    }
    if (item.type === 'file') add('file', item.id)
  }
  return [...found.values()]
}
