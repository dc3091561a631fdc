import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Peer } from '../contract.ts'
import type { Connection } from '../schemas.ts'
import { connections } from '../schemas.ts'

export type ConnectionStore = ReturnType<typeof createConnectionStore>
type ConnectionRow = Connection & Owned

/** More than a model can choose from. */
const MOST_PEERS = 200

export function createConnectionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** The first pinned first; those without a name are no agents of the platform. */
    listPeers: (
      project: string,
      agentId: string
    ): Promise<(Omit<Peer, 'name'> & { readonly name: string | null })[]> =>
      knex('agents.connection as c')
        .leftJoin('agents.agent as a', { 'a.project': 'c.project', 'a.id': 'c.peerAgentId' })
        .where({ 'c.project': project, 'c.agentId': agentId })
        .whereNull('a.deletedAt')
        .orderBy('c.id')
        .limit(MOST_PEERS)
        .select('c.peerAgentId as agentId', 'a.name', 'c.description'),

    /** Undefined when the two are connected already. */
    async insert(trx: Trx, row: Omit<ConnectionRow, 'createdAt'>): Promise<ConnectionRow | undefined> {
      const [inserted] = await trx('agents.connection')
        .insert(row)
        .onConflict(['project', 'agentId', 'peerAgentId'])
        .ignore()
        .returning(connections.columns)
      return inserted
    },

    /** Its own, and those of others to it. */
    removeOfAgent: (trx: Trx, project: string, agentId: string): Promise<number> =>
      trx('agents.connection')
        .where({ project })
        .where((either) => either.where({ agentId }).orWhere({ peerAgentId: agentId }))
        .delete()
  }
}
