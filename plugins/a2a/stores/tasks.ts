import type { Kernel, Owned, Trx } from 'agent-platform'
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

type NewPeerTask = Omit<PeerTaskRow, 'createdAt' | 'updatedAt' | 'endedAt' | 'answerId' | 'sessionId'>

/**
 * The commit is not waited for: that of the run, which comes next, makes this one durable as well. Where the database dies
 * in between there is neither of them, and the message counts when it comes again.
 */
const INSERT = `with soon as (select set_config('synchronous_commit', 'off', true))
  insert into a2a.task
    (project, id, owner, "agentId", "contextId", "externalId", "messageId", protocol, state, "takesJson")
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::boolean from soon on conflict do nothing returning id`

export function createPeerTaskStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
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

    /** False where that message, or that task, is known. */
    async insert(row: NewPeerTask): Promise<boolean> {
      const { project, id, owner, agentId, contextId, externalId, messageId, protocol, state, takesJson } =
        row
      const values = [
        project,
        id,
        owner,
        agentId,
        contextId,
        externalId,
        messageId,
        protocol,
        state,
        takesJson
      ]
      return (await hot.query('a2a.insert-task', INSERT, values)).length > 0
    },

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
