import type { EventInput, Fact, Kernel, Publication, Trx } from 'agent-platform'
import type { ObservabilitySettings } from '../settings.ts'
import type { EventRow, EventStore } from '../stores/events.ts'
import { idField } from './feeds.ts'

export type ActivityRecorder = ReturnType<typeof createActivityRecorder>

interface Deps extends Pick<Kernel, 'streams'> {
  settings: ObservabilitySettings
  eventStore: EventStore
}

/** Keeps what was done and tells those who follow it, in the transaction that handles the facts. */
export function createActivityRecorder({ streams, settings: { liveEvents: keep }, eventStore }: Deps) {
  async function record(facts: readonly Fact[], trx: Trx): Promise<void> {
    const made = await eventStore.insertAll(trx, facts.map(rowOf))
    const told = made.flatMap(({ event, feeds }) => feeds.map((stream) => ({ stream, event })))
    if (told.length === 0) return
    const byFeed = Map.groupBy(told, ({ stream, event }) => JSON.stringify([event.project, stream]))
    const publications = [...byFeed].map(([key, those]): Publication => {
      const [project, stream] = JSON.parse(key)
      return { project, stream, idField, events: those.map(({ event }) => tell(event)), keep }
    })
    await streams.publish(trx, publications)
  }

  return { record }
}

const tell = ({ project: _, type, ...event }: EventRow): EventInput => ({ type, fields: event })

function rowOf({ id, name: type, project, owner, actor, subject, data, at }: Fact): EventRow {
  const about = (data ?? {}) as Record<string, unknown>
  const idOf = (field: string) => (typeof about[field] === 'string' ? (about[field] as string) : null)
  return {
    project,
    id: `event_${id.slice(id.indexOf('_') + 1)}`,
    owner,
    type,
    actor,
    subject,
    agentId: idOf('agentId') ?? (subject.startsWith('agent_') ? subject : null),
    sessionId: idOf('sessionId') ?? (subject.startsWith('session_') ? subject : null),
    runId: idOf('runId'),
    details: detailsOf(about),
    at
  }
}

const shown =
  /^(name|title|status|code|kind|role|level|version|size|milliseconds|isError|prefix|target|trigger|environment|slug|modelId|modelProvider|toolName|providerKey|.*Id)$/
const columns: ReadonlySet<string> = new Set(['agentId', 'sessionId', 'runId'])

/** Ids, names and numbers; never what was said, a setting or an address. */
function detailsOf(data: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  const details: Record<string, string | number | boolean> = {}
  for (const [key, value] of Object.entries(data)) {
    const type = typeof value
    if (type === 'object' || columns.has(key) || !shown.test(key)) continue
    if (type === 'string') details[key] = (value as string).slice(0, 200)
    else if (type === 'number' || type === 'boolean') details[key] = value as number | boolean
  }
  return details
}
