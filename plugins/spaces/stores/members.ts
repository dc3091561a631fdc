import type { Kernel, PageOf, Paging, Principal, Subject, Trx } from 'agent-platform'
import { paginate, subjectOf } from 'agent-platform'
import type { StoredMember } from '../schemas/members.ts'
import { members } from '../schemas/members.ts'
import { spaces } from '../schemas/spaces.ts'

export type MemberStore = ReturnType<typeof createMemberStore>

interface InSpace {
  readonly project: string
  readonly spaceId: string
}

/** A service that acts for itself. */
const reachesProject = ({ type, initiator }: Principal) => type === 'service' && initiator === undefined

const columns = members.columns.map((column) => `"${column}"`).join(', ')
const namedText = `select ${columns} from spaces.member where project = $1 and "spaceId" = any($2)
  union all select ${columns} from spaces.member where project = $1 and "spaceId" = any($3)
    and answers = 'always' and not "spaceId" = any($2)`

export function createMemberStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const rows = (on: Kernel['knex'] | Trx, where: object) =>
    on(members.name)
      .where(where)
      .select(...members.columns)

  return {
    list: ({ project, spaceId }: InSpace, page: Paging): Promise<PageOf<StoredMember>> =>
      paginate<StoredMember>(rows(knex, { project, spaceId }), page, 'member'),

    /** The oldest first. */
    listAll: ({ project, spaceId }: InSpace, limit: number): Promise<StoredMember[]> =>
      rows(knex, { project, spaceId }).orderBy('id').limit(limit),

    listOfIds: (on: Kernel['knex'] | Trx, project: string, ids: readonly string[]): Promise<StoredMember[]> =>
      rows(on, { project }).whereIn('id', [...ids]),

    findOfSubject: (
      on: Kernel['knex'] | Trx,
      { project, spaceId }: InSpace,
      { subjectType, subjectId }: Subject
    ): Promise<StoredMember | undefined> =>
      on(members.name)
        .where({ project, spaceId, subjectType, subjectId })
        .first(...members.columns),

    findOfPrincipal: (by: Principal, spaceId: string): Promise<StoredMember | undefined> =>
      knex(members.name)
        .where({ project: by.project, spaceId, ...subjectOf(by) })
        .first(...members.columns),

    /** All members of spaces whose messages may name them, and of others the agents that always answer. */
    listNamed: (
      trx: Trx,
      project: string,
      { all, agents }: { readonly all: readonly string[]; readonly agents: readonly string[] }
    ): Promise<readonly StoredMember[]> => {
      const named = { text: namedText, values: [project, [...new Set(all)], [...new Set(agents)]] }
      return hot.together<StoredMember>('spaces.named', { named }, 'select * from named', trx)
    },

    /**
     * What an agent is a member of, oldest first: where the principal for which it runs is a member too, or is a service that
     * reaches its project and brought it. So that nobody reads through an agent what it may not read itself, any more.
     */
    listOfAgent: (
      by: Principal,
      agentId: string,
      limit: number
    ): Promise<(StoredMember & { space: string })[]> =>
      knex({ m: members.name })
        .join({ s: spaces.name }, (on) => on.on('s.project', 'm.project').on('s.id', 'm.spaceId'))
        .where({ 'm.project': by.project, 'm.subjectType': 'agent', 'm.subjectId': agentId })
        .where((any) =>
          any
            .whereIn(
              'm.spaceId',
              knex(members.name)
                .where({
                  project: by.project,
                  ...(by.type === 'agent' ? { subjectId: by.owner } : subjectOf(by))
                })
                .whereNot({ subjectType: 'agent' })
                .select('spaceId')
            )
            .orWhere(reachesProject(by) ? { 'm.addedBy': by.owner } : knex.raw('false'))
        )
        .orderBy('m.id')
        .limit(limit)
        .select(...members.columns.map((column) => `m.${column}`), { space: 's.name' }),

    countOwners: async (trx: Trx, { project, spaceId }: InSpace): Promise<number> =>
      Number((await trx(members.name).where({ project, spaceId, role: 'owner' }).count('* as n').first())?.n),

    count: async (trx: Trx, { project, spaceId }: InSpace): Promise<number> =>
      Number((await trx(members.name).where({ project, spaceId }).count('* as n').first())?.n),

    /** What is no edit of the member: how far it has read, and where its agent goes on. */
    replaceMarks: async (
      on: Kernel['knex'] | Trx,
      { project, id }: { readonly project: string; readonly id: string },
      marks: Partial<Pick<StoredMember, 'readMessageId' | 'sessionId' | 'seenMessageId'>>
    ): Promise<void> => {
      await on(members.name).where({ project, id }).update(marks)
    },

    /** Up to so many memberships of an agent that is gone. */
    takeOfAgent: (trx: Trx, project: string, agentId: string, limit: number): Promise<StoredMember[]> =>
      trx(members.name)
        .where({ project })
        .whereIn('id', (some) =>
          some
            .from(members.name)
            .where({ project, subjectType: 'agent', subjectId: agentId })
            .limit(limit)
            .select('id')
        )
        .delete()
        .returning([...members.columns]) as unknown as Promise<StoredMember[]>
  }
}
