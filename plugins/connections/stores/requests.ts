import type { AuthorizationRequest, Kernel, Owned, Trx } from 'agent-platform'

export type RequestStore = ReturnType<typeof createRequestStore>

/** A connection that was asked for: what comes back has to fit. */
export interface RequestRow extends Owned, AuthorizationRequest {
  readonly connectionId: string
  readonly providerKey: string
  /** The verifier of PKCE. */
  readonly sealed: string
  readonly scopes: readonly string[]
  readonly returnUrl: string | null
  readonly actor: {
    readonly id: string
    readonly type: 'user' | 'agent' | 'service'
    readonly initiator?: string
  }
}

/** More than an owner asks for at once. */
const MOST = 20

export function createRequestStore({ knex }: Pick<Kernel, 'knex'>) {
  const requests = (on: Kernel['knex'] | Trx = knex) => on('connections.authorization_request')
  return {
    find: (id: string): Promise<RequestRow | undefined> => requests().where({ id }).first(),

    /** Of an owner's older ones only the latest are kept. */
    async insert(trx: Trx, row: RequestRow): Promise<void> {
      const { project, owner } = row
      const old = requests(trx)
        .where({ project, owner })
        .orderBy('id', 'desc')
        .offset(MOST - 1)
        .select('id')
      await requests(trx)
        .where({ project, owner })
        .where((gone) => gone.where('expiresAt', '<', trx.fn.now() as never).orWhereIn('id', old))
        .delete()
      await requests(trx).insert({
        ...row,
        scopes: JSON.stringify(row.scopes),
        actor: JSON.stringify(row.actor)
      })
    },

    /** True for one caller. */
    take: async ({ project, id }: Pick<RequestRow, 'project' | 'id'>): Promise<boolean> =>
      (await requests().where({ project, id }).delete()) > 0,

    removeOf: (trx: Trx, { project, id }: { project: string; id: string }): Promise<number> =>
      requests(trx).where({ project, connectionId: id }).delete()
  }
}
