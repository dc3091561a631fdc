import type { Kernel, Principal, View } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { ActivityQuery, FeedQuery, LogQuery } from '../schemas/activity.ts'
import type { ObservabilitySettings } from '../settings.ts'
import type { EventStore } from '../stores/events.ts'
import { feedOf, idField, wholeFeed } from './feeds.ts'

export type ActivityService = ReturnType<typeof createActivityService>

interface Deps extends Pick<Kernel, 'streams' | 'transaction'> {
  settings: ObservabilitySettings
  agents: Agents
  sessions: Sessions
  eventStore: EventStore
}

/** Who did what, and when. */
export function createActivityService(deps: Deps) {
  const { streams, transaction, settings, agents, sessions, eventStore } = deps

  async function list(by: Principal, { limit, cursor, type, ...only }: ActivityQuery) {
    const { agentId, sessionId } = only
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    if (sessionId !== undefined) await sessions.owned(by, sessionId, 'read', 'sessionId')
    return eventStore.list(by, { ...only, types: typesOf(type) }, { limit, cursor })
  }

  async function ofAgent(by: Principal, agentId: string, { limit, cursor, type, ...only }: LogQuery) {
    await agents.owned(by, agentId, 'read')
    return eventStore.list(by, { ...only, agentId, types: typesOf(type) }, { limit, cursor })
  }

  /** Its live stream, which begins with its first reader; `isNew`: who read nothing of it. */
  async function feed(by: Principal, { type, agentId }: FeedQuery, isNew: boolean) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    const { project } = by
    const stream = by.type === 'service' && !by.initiator ? wholeFeed : feedOf(by.owner)
    if (!(await streams.state(project, stream)))
      await transaction(async (trx) => {
        const events = [{ type: 'feed_opened', fields: {} }]
        const isFirst = await eventStore.insertFeed(trx, project, stream)
        if (isFirst)
          await streams.publish(trx, [{ project, stream, idField, events, keep: settings.liveEvents }])
      })
    const only = by.type === 'agent' ? by.id : agentId
    if (agentId !== undefined && by.type === 'agent' && agentId !== by.id)
      throw invalid('agentId', 'Another agent')
    const types = typesOf(type)
    const served = { project, stream, idField, ...(isNew && { after: await beforeFirst(project, stream) }) }
    if (only === undefined && types.length === 0) return served
    return { ...served, view: viewOf(only, types) }
  }

  /** What is not kept any more is nothing that a new reader has to know of. */
  const beforeFirst = async (project: string, stream: string) =>
    ((await streams.first(project, stream)) ?? 0) - 1

  return { list, ofAgent, feed }
}

const viewOf = (agentId: string | undefined, types: readonly string[]): View => ({
  show: (event) => {
    if (agentId !== undefined && event.agentId !== agentId) return []
    const isWanted = types.some((type) =>
      type.endsWith('.') ? event.type.startsWith(type) : event.type === type
    )
    return types.length === 0 || isWanted ? [event] : []
  },
  keepalive: (seq) => ({ type: 'keepalive', seq })
})

function typesOf(given: string | undefined): readonly string[] {
  const types = given === undefined ? [] : given.split(',')
  for (const type of types)
    if (!/^[a-z0-9-]+\.([a-z_]+)?$/.test(type))
      throw invalid('type', 'type must be names like runs.completed or runs., with commas between them')
  return types
}
