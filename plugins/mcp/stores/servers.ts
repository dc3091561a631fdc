import type { Kernel, Owned, Principal, Row, Searching, Trx, Verb } from 'agent-platform'
import { conflict, table } from 'agent-platform'
import type { Status } from '../schemas/servers.ts'
import { McpServer } from '../schemas/servers.ts'

export type ServerStore = ReturnType<typeof createServerStore>

/** What a row has beside what its owner sees. */
interface Kept {
  /** Sealed. */
  readonly clientSecret: string | null
  /** Changes with all that makes another connection necessary. */
  readonly generation: number
  readonly protocolVersion: string | null
  readonly identity: { readonly name: string; readonly version: string } | null
}
export type ServerRow = McpServer & Kept & Row

/** What clients write. */
export type Written = Pick<
  ServerRow,
  'name' | 'transport' | 'url' | 'command' | 'args' | 'auth' | 'clientSecret'
>
/** What the platform finds out. */
export type Noted = Partial<
  Pick<ServerRow, 'status' | 'statusReason' | 'protocolVersion' | 'identity' | 'lastSyncAt'>
>

const servers = table<typeof McpServer, Kept>('mcp.server', McpServer, {
  also: ['clientSecret', 'generation', 'protocolVersion', 'identity'],
  arrays: ['args'],
  searched: ['name', 'url'],
  what: 'Tool server',
  type: 'mcpserver'
})

/** 409 where the owner has another one of that name. */
const named = <T>(written: Promise<T>): Promise<T> =>
  written.catch((error) => {
    if (error.constraint !== 'server_name') throw error
    throw conflict('There is a tool server of that name', { param: '/name', code: 'name_taken' })
  })

export function createServerStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string) => servers.find(knex, id),
    /** 404 or 403 unless the principal may do that with it. */
    findOwned: (by: Principal, id: string, verb: Verb) => servers.owned(knex, by, id, verb),
    list: (by: Principal, page: Searching, where: Partial<ServerRow>) => servers.list(knex, by, page, where),
    /** It, and what was discovered there, stays as it is until the transaction ends. */
    take: servers.lock,
    remove: servers.remove,
    insert: (...order: Parameters<typeof servers.insert>) => named(servers.insert(...order)),
    update: (...order: Parameters<typeof servers.update>) => named(servers.update(...order)),

    async count(trx: Trx, { project, owner }: Owned): Promise<number> {
      const [row] = await trx('mcp.server').where({ project, owner }).count({ count: '*' })
      return Number(row?.count)
    },

    /** Of that generation alone: what was learnt of another one counts no more. No edit: the version stays. */
    async updateNoted(
      { project, id, generation }: Pick<ServerRow, 'project' | 'id' | 'generation'>,
      noted: Noted,
      { on = knex, unless }: { on?: Kernel['knex'] | Trx; unless?: Status } = {}
    ): Promise<void> {
      const { identity, ...rest } = noted
      const query = on('mcp.server').where({ project, id, generation })
      if (unless) query.whereNot({ status: unless })
      await query.update({ ...rest, ...(identity !== undefined && { identity: JSON.stringify(identity) }) })
    }
  }
}
