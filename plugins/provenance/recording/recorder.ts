import { randomBytes } from 'node:crypto'
import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Knowledge } from '../../knowledge/contract.ts'
import type { RunRecord, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { NewSource, TraceStore } from '../stores/traces.ts'
import { eventsItem } from './frames.ts'
import type { Item, Mode } from './items.ts'
import { itemsOf } from './items.ts'

interface Deps extends Pick<Kernel, 'streams'> {
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
export function createRecorder({ streams, settings, runs, sessions, knowledge, traceStore }: Deps) {
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
    const traces = await Promise.all(
      recorded.map(async (run) => {
        const mode = modeOf(run) as Exclude<Mode, 'off'>
        const [said, given] = [messages.get(run.id) ?? [], passages.get(run.id) ?? []]
        const items = itemsOf({ run, messages: said, passages: given, mode })
        const log = mode === 'full' ? await logOf(project, run.id) : undefined
        return traceOf(project, run, mode, log === undefined ? items : [...items, eventsItem(run, log)])
      })
    )
    await traceStore.insertAll(trx, traces, traces.flatMap(sourcesOf))
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

  return { ended }
}

function traceOf(project: string, run: RunRecord, mode: Exclude<Mode, 'off'>, items: readonly Item[]) {
  const { id, owner, sessionId, agentId, status, createdAt } = run
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
