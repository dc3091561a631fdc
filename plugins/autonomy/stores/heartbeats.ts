import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Heartbeat } from '../schemas.ts'
import { defaults } from '../schemas.ts'

export type HeartbeatStore = ReturnType<typeof createHeartbeatStore>
export type HeartbeatRow = Omit<Heartbeat, 'nextBeatAt' | 'scheduleError' | 'lastBeat' | 'today'> & Owned

interface Key {
  readonly project: string
  readonly agentId: string
}

const columns = [
  'project',
  'agentId',
  'owner',
  ...(Object.keys(defaults) as (keyof typeof defaults)[]),
  'isolatedSessionId',
  'failures',
  'backoffUntil',
  'version',
  'createdAt',
  'updatedAt'
] as const

/** One row an agent, from its first edit or beat on. */
export function createHeartbeatStore({ knex }: Pick<Kernel, 'knex'>) {
  const at = (on: Kernel['knex'] | Trx, { project, agentId }: Key) =>
    on('autonomy.heartbeat').where({ project, agentId })
  const lock = (trx: Trx, key: Key): Promise<HeartbeatRow | undefined> =>
    at(trx, key)
      .forUpdate()
      .first(...columns)

  return {
    find: (key: Key): Promise<HeartbeatRow | undefined> => at(knex, key).first(...columns),

    /** As it stays until the transaction ends. */
    lock,

    /** The same; made where there is none. */
    async take(trx: Trx, { project, owner, agentId }: Key & Owned): Promise<HeartbeatRow> {
      await trx('autonomy.heartbeat')
        .insert({ project, owner, agentId, ...defaults })
        .onConflict(['project', 'agentId'])
        .ignore()
      return (await lock(trx, { project, agentId })) as HeartbeatRow
    },

    async update(trx: Trx, key: Key, changes: Partial<HeartbeatRow>): Promise<HeartbeatRow> {
      const [row] = await at(trx, key).update(changes).returning(columns)
      return row
    },

    async remove(trx: Trx, key: Key): Promise<void> {
      await at(trx, key).delete()
    },

    /** Beats do not go on in a session that is gone. */
    async removeSession(trx: Trx, key: Key, sessionId: string): Promise<void> {
      for (const column of ['sessionId', 'isolatedSessionId'])
        await at(trx, key)
          .where(column, sessionId)
          .update({ [column]: null })
    }
  }
}
