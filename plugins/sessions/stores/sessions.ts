import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Owned, Principal, Searching, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Session, SessionChanges } from '../schemas.ts'

export type SessionStore = ReturnType<typeof createSessionStore>
export type SessionRow = Session & Owned
export interface Key {
  project: string
  id: string
  version: number | undefined
}

/** What a session consists of, for its readers. */
export const columns = [
  'id',
  'project',
  'owner',
  'agentId',
  'initiator',
  'title',
  'metadata',
  'forkedFrom',
  'version',
  'createdAt',
  'updatedAt'
] as const

const findText = `select ${columns.map((column) => `"${column}"`).join(', ')} from sessions.session
  where id collate "C" = $1`

export function createSessionStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const sessions = (on: Kernel['knex'] | Trx = knex) => on('sessions.session')
  const at = (trx: Trx, { version, ...key }: Key) =>
    sessions(trx).where({ ...key, ...(version !== undefined && { version }) })

  return {
    /** By id alone, across projects: this is what distinguishes 403 from 404. Every run of a session begins with it. */
    find: async (id: string): Promise<SessionRow | undefined> =>
      (await hot.query<SessionRow>('sessions.find', findText, [id]))[0],

    /** Those that the principal reaches, of an agent, of an initiator, or of both. */
    list: (by: Principal, page: Searching, of: { agentId?: string; initiator?: string }) =>
      paginate<SessionRow>(
        reach(by, sessions())
          .where(of)
          .select(...columns),
        page,
        'session',
        ['title']
      ),

    /** Of those of the project that have one, by id. */
    async listTitles(project: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const rows: { id: string; title: string }[] = await sessions()
        .where({ project })
        .whereIn('id', [...new Set(ids)])
        .whereNotNull('title')
        .select('id', 'title')
      return new Map(rows.map(({ id, title }) => [id, title]))
    },

    async insert(trx: Trx, session: Omit<SessionRow, 'forkedFrom' | 'version' | 'createdAt' | 'updatedAt'>) {
      const [row] = await sessions(trx).insert(session).returning(columns)
      return row as SessionRow
    },

    /** Undefined when it is gone, or `version` is given and no longer the current one. What changes nothing counts not. */
    async update(trx: Trx, key: Key, changes: SessionChanges): Promise<SessionRow | undefined> {
      const row: SessionRow | undefined = await at(trx, key)
        .forUpdate()
        .first(...columns)
      const isSame = ([name, value]: [string, unknown]) =>
        isDeepStrictEqual(value, row?.[name as keyof SessionRow])
      if (!row || Object.entries(changes).every(isSame)) return row
      const version = trx.raw('version + 1')
      const [changed] = await at(trx, key)
        .update({ ...changes, version, updatedAt: trx.fn.now() })
        .returning(columns)
      return changed
    }
  }
}
