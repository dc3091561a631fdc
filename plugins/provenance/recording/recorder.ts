import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Knowledge } from '../../knowledge/contract.ts'
import type { RunRecord, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { AnchorOrders } from '../anchors/orders.ts'
import { treeOf } from '../bundles/tree.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { NewSource, Trace, TraceStore } from '../stores/traces.ts'
import { eventsItem } from './frames.ts'
import type { Item, Mode } from './items.ts'
import { itemsOf } from './items.ts'
import type { Salts } from './salts.ts'

export type Recorder = ReturnType<typeof createRecorder>

interface Deps extends Pick<Kernel, 'streams' | 'transaction'> {
  settings: ProvenanceSettings
  runs: Runs
  sessions: Sessions
  knowledge: Knowledge | undefined
  salts: Salts
  traceStore: TraceStore
  anchorOrders: AnchorOrders
}
interface Ended {
  readonly runId: string
  readonly provenance: Mode
  readonly steps: readonly object[]
  readonly attachments?: number
  readonly onchain?: true
}

/**
 * What runs used. Of those that only spoke the record of runs and sessions has all of it, for as long as there is one: it is
 * derived from that when it is asked for. What others looked up, were given or said in full is written down in the transaction
 * that handles the facts of their ends: once each, whatever crashes.
 */
export function createRecorder(deps: Deps) {
  const { streams, transaction, settings, runs, sessions, knowledge, salts, traceStore, anchorOrders } = deps

  async function ended(facts: readonly Fact<Ended>[], trx: Trx): Promise<void> {
    for (const [project, of] of Map.groupBy(facts.filter(isKept), (fact) => fact.project)) {
      const ids = of.map(({ data }) => data.runId)
      const traces = await tracesOf(trx, project, await runs.records(trx, project, ids))
      if (traces.length > 0) await traceStore.insertAll(trx, traces, traces.flatMap(sourcesOf))
      const anchored = new Set(of.filter(({ data }) => data.onchain).map(({ data }) => data.runId))
      await anchorOrders.add(trx, traces.filter(({ id }) => anchored.has(id)).map(orderOf))
    }
  }

  const isKept = ({ name, data: { provenance, steps, attachments, onchain } }: Fact<Ended>): boolean =>
    onchain === true ||
    provenance === 'full' ||
    settings.defaultMode === 'full' ||
    (provenance !== 'off' && (name !== 'runs.completed' || steps.length > 1 || attachments !== undefined))

  /** Of runs of which none is written down, in no order; those that are recorded nowhere are left out. */
  const derive = (project: string, runIds: readonly string[]): Promise<readonly Trace[]> =>
    transaction(async (trx) => tracesOf(trx, project, await runs.records(trx, project, runIds)))

  async function tracesOf(trx: Trx, project: string, found: readonly RunRecord[]): Promise<Trace[]> {
    const recorded = found.filter((run) => modeOf(run) !== 'off')
    if (recorded.length === 0) return []
    const messages = Map.groupBy(await sessions.ofRuns(trx, project, recorded), ({ runId }) => runId)
    // What was looked up was looked up by calls.
    const calling = recorded.filter(({ calls }) => calls.length > 0).map(({ id }) => id)
    const passages = await givenTo(trx, project, calling)
    return Promise.all(
      recorded.map(async (run) => {
        const mode = modeOf(run) as Exclude<Mode, 'off'>
        const [said, given] = [messages.get(run.id) ?? [], passages.get(run.id) ?? []]
        const items = itemsOf({ run, messages: said, passages: given, mode })
        const log = mode === 'full' ? await logOf(project, run.id) : undefined
        const salt = await salts.of(project, run.id)
        return traceOf(project, run, mode, salt, log === undefined ? items : [...items, eventsItem(run, log)])
      })
    )
  }

  const modeOf = ({ request }: RunRecord): Mode => request.provenance?.mode ?? settings.defaultMode

  /** Its events, a line of JSON each; they have ended with it. */
  async function logOf(project: string, runId: string): Promise<string | undefined> {
    if (!(await streams.state(project, runId))?.ended) return undefined
    const bodies: string[] = []
    for await (const body of streams.follow(project, runId, -1)) bodies.push(body)
    return bodies.join('\n')
  }

  async function givenTo(trx: Trx, project: string, runIds: readonly string[]) {
    const given = runIds.length > 0 && knowledge ? await knowledge.given(trx, project, runIds) : []
    return Map.groupBy(given, ({ runId }) => runId)
  }

  return { ended, derive }
}

function traceOf(
  project: string,
  run: RunRecord,
  mode: Trace['mode'],
  salt: string,
  items: readonly Item[]
): Trace {
  const { id, owner, sessionId, agentId, status, createdAt } = run
  const times = { startedAt: createdAt, endedAt: run.endedAt ?? createdAt }
  return { project, id, owner, sessionId, agentId, mode, status, salt, count: items.length, items, ...times }
}

/** What the bundle of a run commits to. */
const orderOf = (trace: Trace) => ({
  project: trace.project,
  owner: trace.owner,
  traceId: trace.id,
  root: treeOf([trace]).root
})

/** What a run can be looked for by. */
function sourcesOf({ project, id: runId, sessionId, agentId, items }: Trace) {
  const found = new Map<string, NewSource>()
  const add = (type: NewSource['type'], usedId: unknown) => {
    if (typeof usedId === 'string')
      found.set(`${type} ${usedId}`, { project, type, usedId, runId, sessionId, agentId })
  }
  for (const item of items) {
    if (item.type === 'document') {
      add('document', item.id)
      add('space', item.spaceId)
    }
    if (item.type === 'file') add('file', item.id)
  }
  return [...found.values()]
}
