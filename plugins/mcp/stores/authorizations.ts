import type { AuthorizationRequest, Kernel, Owned, Trx } from 'agent-platform'

export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>

/** What lets the platform use a server on its owner's behalf. */
export interface AuthorizationRow extends Owned {
  readonly id: string
  readonly serverId: string
  readonly sealed: string
  readonly expiresAt: string | null
}

/** An authorization that was asked for. */
export interface RequestRow extends Owned, AuthorizationRequest {
  readonly serverId: string
  readonly sealed: string
  readonly actor: {
    readonly id: string
    readonly type: 'user' | 'agent' | 'service'
    readonly initiator?: string
  }
}

type Of = Pick<AuthorizationRow, 'project' | 'serverId'>

const columns = ['project', 'id', 'owner', 'serverId', 'sealed', 'expiresAt'] as const
/** More than an owner asks for at once. */
const MOST_REQUESTS = 20

export function createAuthorizationStore({ knex }: Pick<Kernel, 'knex'>) {
  const mine = (on: Kernel['knex'] | Trx = knex) => on('mcp.authorization')
  const requests = (on: Kernel['knex'] | Trx = knex) => on('mcp.authorization_request')

  return {
    find: ({ project, serverId }: Of): Promise<AuthorizationRow | undefined> =>
      mine()
        .where({ project, serverId })
        .first(...columns),

    async replace(on: Trx | undefined, row: AuthorizationRow): Promise<void> {
      const { sealed, expiresAt } = row
      await mine(on)
        .insert(row)
        .onConflict(['project', 'serverId'])
        .merge({ sealed, expiresAt, refreshingUntil: null, updatedAt: knex.fn.now() } as never)
    },

    /** True for one caller at a time, on all instances, until it writes or that time is over. */
    async takeLease({ project, serverId }: Of, seconds: number): Promise<boolean> {
      const until = knex.raw('now() + make_interval(secs => ?)', [seconds])
      const taken = await mine()
        .where({ project, serverId })
        .where((free) =>
          free.whereNull('refreshingUntil').orWhere('refreshingUntil', '<', knex.fn.now() as never)
        )
        .update({ refreshingUntil: until })
      return taken > 0
    },

    async removeLease({ project, serverId }: Of): Promise<void> {
      await mine().where({ project, serverId }).update({ refreshingUntil: null })
    },

    remove: (on: Trx | undefined, { project, serverId }: Of): Promise<number> =>
      mine(on).where({ project, serverId }).delete(),

    async insertRequest(trx: Trx, row: RequestRow): Promise<void> {
      const { project, serverId } = row
      const old = requests(trx)
        .where({ project, serverId })
        .orderBy('id', 'desc')
        .offset(MOST_REQUESTS - 1)
        .select('id')
      await requests(trx)
        .where({ project, serverId })
        .where((gone) => gone.where('expiresAt', '<', trx.fn.now() as never).orWhereIn('id', old))
        .delete()
      await requests(trx).insert({ ...row, actor: JSON.stringify(row.actor) })
    },

    findRequest: (id: string): Promise<RequestRow | undefined> => requests().where({ id }).first(),

    /** True for one caller. */
    takeRequest: async ({ project, id }: Pick<RequestRow, 'project' | 'id'>): Promise<boolean> =>
      (await requests().where({ project, id }).delete()) > 0,

    async removeOfServer(trx: Trx, of: Of): Promise<void> {
      for (const table of [mine, requests])
        await table(trx).where({ project: of.project, serverId: of.serverId }).delete()
    }
  }
}
