import type { Fragment, Kernel, Owned, Trx } from 'agent-platform'
import { single } from 'agent-platform'
import type { PeerTask, State } from '../schemas/tasks.ts'
import { peerTasks } from '../schemas/tasks.ts'

export type PeerTaskStore = ReturnType<typeof createPeerTaskStore>
export type PeerTaskRow = PeerTask &
  Owned & {
    readonly messageId: string | null
    readonly answerId: string | null
    readonly takesJson: boolean
  }
type Whose = Pick<PeerTaskRow, 'project' | 'owner' | 'agentId'>

const { columns } = peerTasks
/** When its status was reached. */
const TOLD = `coalesce("endedAt", "createdAt")`

/** Left out: any. */
export interface Wanted {
  readonly contextId?: string | undefined
  readonly state?: State | undefined
  readonly since?: string | undefined
}
/** A place in a list of tasks. */
export interface Told {
  readonly toldAt: string
  readonly id: string
}

export type NewPeerTask = Omit<PeerTaskRow, 'createdAt' | 'updatedAt' | 'endedAt' | 'answerId' | 'sessionId'>

const given = [
  ['project', 'text'],
  ['id', 'text'],
  ['owner', 'text'],
  ['agentId', 'text'],
  ['contextId', 'text'],
  ['externalId', 'text'],
  ['messageId', 'text'],
  ['protocol', 'text'],
  ['state', 'text'],
  ['takesJson', 'boolean']
] as const
const names = given.map(([name]) => `"${name}"`).join(', ')
const placeholders = given.map(([, type], index) => `$${index + 1}::${type}`).join(', ')
const unlessKnown = 'on conflict do nothing returning id'
const insertOneText = `insert into a2a.task (${names}) values (${placeholders}) ${unlessKnown}`
// In one order, so that no two of them wait for each other.
const insertText = `insert into a2a.task (${names})
  select ${names} from jsonb_to_recordset($1::jsonb) as c(${given.map(([name, type]) => `"${name}" ${type}`).join(', ')})
  order by "messageId", "externalId" ${unlessKnown}`
const refusedText = `select w.id from unnest($1::text[]) w(id) where not exists (select from a2a_task n where n.id = w.id)
  and not exists (select from a2a.task t where t.id = w.id)`

export function createPeerTaskStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on(peerTasks.name)
  const first = async (where: object): Promise<PeerTaskRow | undefined> =>
    rows()
      .where(where)
      .orderBy('id', 'desc')
      .first(...columns)

  const matching = (whose: Whose, { contextId, state, since }: Wanted) =>
    rows()
      .where({ ...whose, ...(state && { state }) })
      .where((query) => since && query.whereRaw(`${TOLD} >= ?`, [since]))
      .where(
        (query) =>
          contextId !== undefined &&
          query.where({ contextId }).orWhere({ contextId: null, sessionId: contextId })
      )

  return {
    find: (id: string) => peerTasks.find(knex, id) as Promise<PeerTaskRow | undefined>,
    findExternal: (whose: Whose, externalId: string) => first({ ...whose, externalId }),
    findOfMessage: (whose: Whose, messageId: string) => first({ ...whose, messageId }),
    /** The latest one before that in a conversation that a client named. */
    findOfContext: (whose: Whose, contextId: string, before: string): Promise<PeerTaskRow | undefined> =>
      rows()
        .where({ ...whose, contextId })
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .first(...columns),

    /** A part of the statement that begins their runs, `a2a_task`: the ids of those whose message, or task, is not known. */
    insertGiven(rows: readonly NewPeerTask[]): Fragment {
      const one = single(rows)
      if (one) return { text: insertOneText, values: given.map(([name]) => one[name]) }
      return { text: insertText, values: [JSON.stringify(rows)] }
    },

    /** A later part: the ids of those that must not begin. A try before may have left the row. */
    listRefused: (rows: readonly NewPeerTask[]): Fragment => ({
      text: refusedText,
      values: [rows.map(({ id }) => id)]
    }),

    /** Those whose status is the latest first, behind the place of another one; with `toldAt`, which is that place. */
    listTold: (whose: Whose, wanted: Wanted, limit: number, behind?: Told): Promise<(PeerTaskRow & Told)[]> =>
      matching(whose, wanted)
        .where(
          (query) =>
            behind && query.whereRaw(`(${TOLD}, id) < (?::timestamptz, ?)`, [behind.toldAt, behind.id])
        )
        .orderByRaw(`${TOLD} desc, id desc`)
        .limit(limit)
        .select(...columns, knex.raw(`${TOLD}::text as "toldAt"`)) as never,

    async count(whose: Whose, wanted: Wanted): Promise<number> {
      const [row] = await matching(whose, wanted).count({ count: '*' })
      return Number(row?.count)
    },

    remove: ({ project, id }: Pick<PeerTaskRow, 'project' | 'id'>) => rows().where({ project, id }).delete(),

    updateAnswered: ({ project, id }: Pick<PeerTaskRow, 'project' | 'id'>, answerId: string) =>
      rows().where({ project, id }).update({ answerId, updatedAt: knex.fn.now() }),

    /** Of runs that are tasks, with the times at which it came about; gives the ids of those that changed. */
    async updateStates(
      trx: Trx,
      project: string,
      moved: ReadonlyMap<string, string>,
      state: State
    ): Promise<string[]> {
      const isEnd = /^(?:completed|failed|canceled)$/.test(state)
      const { rows: changed } = await trx.raw(
        `update a2a.task t set state = ?, "updatedAt" = now() ${isEnd ? ', "endedAt" = m.at' : ''}
         from unnest(?::text[], ?::timestamptz[]) m (run, at)
         where t.project = ? and t.id = m.run and t."endedAt" is null returning t.id`,
        [state, [...moved.keys()], [...moved.values()], project]
      )
      return changed.map(({ id }: { id: string }) => id)
    },

    updateBegun: (trx: Trx, project: string, begun: ReadonlyMap<string, string>) =>
      trx.raw(
        `update a2a.task t set "sessionId" = b.session from unnest(?::text[], ?::text[]) b (run, session)
         where t.project = ? and t.id = b.run and t."sessionId" is null`,
        [[...begun.keys()], [...begun.values()], project]
      )
  }
}
