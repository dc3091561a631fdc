import type { Trx } from 'agent-platform'
import type { Key } from './sessions.ts'

export type RemovalStore = ReturnType<typeof createRemovalStore>

// By their places in the table, since a message never changes; found in the order of the key, or a planner that is
// wrong about how many there are would scan the table. A place is one of a shard, which the project names.
const removeSomeText = `delete from sessions.message where project = ? and ctid = any (array(
  select m.ctid from unnest(?::text[]) as s(id) cross join lateral
    (select ctid from sessions.message where project = ? and "sessionId" = s.id order by position limit ?) m
  limit ?))`

/** How messages go with their session, and sessions with their agent. */
export function createRemovalStore() {
  const sessions = (trx: Trx, project: string) => trx('sessions.session').where({ project })

  async function removeSome(trx: Trx, project: string, sessionIds: readonly string[], limit: number) {
    const { rowCount } = await trx.raw(removeSomeText, [project, [...sessionIds], project, limit, limit])
    return rowCount as number
  }

  return {
    /**
     * A session with its messages. Undefined when it is gone, or `version` is given and no longer the current one.
     * A writer that appends to it at the same time has done so before, or finds it gone.
     */
    async remove(trx: Trx, { project, id, version }: Key): Promise<{ id: string } | undefined> {
      const [row] = await sessions(trx, project)
        .where({ id, ...(version !== undefined && { version }) })
        .delete()
        .returning(['id'])
      if (row) await trx('sessions.message').where({ project, sessionId: id }).delete()
      return row
    },

    /** Some sessions of an agent with their messages, `limit` rows or a few more; how many. */
    async removeOfAgent({ project, id: agentId }: { project: string; id: string }, trx: Trx, limit: number) {
      const ids = await sessions(trx, project).where({ agentId }).orderBy('id').limit(limit).pluck('id')
      if (ids.length === 0) return 0
      const removed = await removeSome(trx, project, ids, limit)
      if (removed === limit) return removed
      const gone = await sessions(trx, project).whereIn('id', ids).delete()
      // What was appended before the sessions were gone.
      return removed + gone + (await removeSome(trx, project, ids, limit))
    }
  }
}
