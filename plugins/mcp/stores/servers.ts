import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Auth, McpServer, Status } from '../schemas/servers.ts'

export type ServerStore = ReturnType<typeof createServerStore>

export interface ServerRow extends Omit<McpServer, 'owner' | 'auth'>, Owned {
  readonly auth: Omit<Auth, 'clientSecret'>
  /** Sealed. */
  readonly clientSecret: string | null
  /** Changes with all that makes another connection necessary. */
  readonly generation: number
  readonly protocolVersion: string | null
  readonly identity: { readonly name: string; readonly version: string } | null
}

type Key = Pick<ServerRow, 'project' | 'id'>
/** What clients write. */
export type Written = Pick<
  ServerRow,
  'name' | 'transport' | 'url' | 'command' | 'args' | 'auth' | 'clientSecret'
>
/** What the platform finds out. */
export type Noted = Partial<
  Pick<ServerRow, 'status' | 'statusReason' | 'protocolVersion' | 'identity' | 'lastSyncAt'>
>

const columns = [
  'project',
  'id',
  'owner',
  'name',
  'transport',
  'url',
  'command',
  'args',
  'auth',
  'clientSecret',
  'status',
  'statusReason',
  'generation',
  'protocolVersion',
  'identity',
  'lastSyncAt',
  'version',
  'createdAt',
  'updatedAt'
] as const

export function createServerStore({ knex }: Pick<Kernel, 'knex'>) {
  const servers = (on: Kernel['knex'] | Trx = knex) => on<ServerRow>('mcp.server')

  return {
    find: (id: string): Promise<ServerRow | undefined> =>
      servers()
        .where({ id })
        .first(...columns),

    /** Nobody else changes it, or what was discovered there, until the transaction ends. */
    take: (trx: Trx, { project, id }: Key): Promise<ServerRow | undefined> =>
      servers(trx)
        .where({ project, id })
        .forUpdate()
        .first(...columns),

    list(by: Principal, owner: string | undefined, page: Paging) {
      const query = reach(by, servers().select(...columns))
      return paginate<ServerRow>(owner === undefined ? query : query.where({ owner }), page)
    },

    async count(trx: Trx, { project, owner }: Owned): Promise<number> {
      const [row] = await servers(trx).where({ project, owner }).count({ count: '*' })
      return Number(row?.count)
    },

    /** Undefined when its owner has one of that name. */
    async insert(trx: Trx, row: Written & Key & Owned): Promise<ServerRow | undefined> {
      const [inserted] = await trx('mcp.server')
        .insert({ ...row, auth: JSON.stringify(row.auth) })
        .onConflict(['project', 'owner', 'name'])
        .ignore()
        .returning(columns)
      return inserted
    },

    async update(trx: Trx, { project, id }: Key, row: Written, reconnects: boolean): Promise<ServerRow> {
      const [updated] = await trx('mcp.server')
        .where({ project, id })
        .update({
          ...row,
          auth: JSON.stringify(row.auth),
          version: trx.raw('version + 1'),
          updatedAt: trx.fn.now(),
          ...(reconnects && { generation: trx.raw('generation + 1'), status: 'new', statusReason: null })
        })
        .returning(columns)
      return updated
    },

    /** Another one of its owner's with that name. */
    findNamesake: (
      trx: Trx,
      { project, id, owner }: Key & Owned,
      name: string
    ): Promise<Pick<ServerRow, 'id'> | undefined> =>
      servers(trx).where({ project, owner, name }).whereNot({ id }).first('id'),

    /** Of that generation alone: what was learnt of another one counts no more. */
    async updateNoted(
      { project, id, generation }: Key & Pick<ServerRow, 'generation'>,
      noted: Noted,
      { on = knex, unless }: { on?: Kernel['knex'] | Trx; unless?: Status } = {}
    ): Promise<void> {
      const { identity, ...rest } = noted
      const query = on('mcp.server').where({ project, id, generation })
      if (unless) query.whereNot({ status: unless })
      await query.update({ ...rest, ...(identity !== undefined && { identity: JSON.stringify(identity) }) })
    },

    remove: (trx: Trx, { project, id }: Key): Promise<number> => servers(trx).where({ project, id }).delete()
  }
}
